void squeeze(float *weights, int count);

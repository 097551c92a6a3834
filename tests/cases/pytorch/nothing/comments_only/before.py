# Only a comment: nothing to do.
# optimizer.step()

"""What training would be like on N processes: from one that was measured, a network, and how gradients go over it."""

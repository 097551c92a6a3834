"""What a script is: sites, kinds and placements. Frozen values only, the contract between front and back."""

"""What the IR says of a copy's bases: traced from values to their roots, nothing guessed."""

"""Files that come with the program: the sample, the tour, the pictures of the methods."""

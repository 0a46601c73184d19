"""The view "Labels": the labels of reviewers, merged, renamed, and split."""

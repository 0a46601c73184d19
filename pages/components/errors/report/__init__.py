"""The view "Report": agreement of reviewers, and exports."""

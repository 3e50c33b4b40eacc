"""People judge: campaigns, the pages they are judged on, and what is asked next."""

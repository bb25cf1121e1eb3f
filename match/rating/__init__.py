"""How strong networks are: Elo with intervals, sequential tests, ratings of many networks."""

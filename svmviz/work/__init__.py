"""Work that is given out: sweeps, seeds of a race, recorded figures and benchmarks are lists of
calls, and go one way.

    for result in in_turn(Threads(2), [(run, problem, seed) for seed in range(10)]):
        ...

* `backend.Backend` is a place where calls are carried out: `threads.Threads` of this process,
  `processes.Local` of this machine, `cluster.Dask`. What a call gives is the same everywhere, to
  the bit.
* `flight.Flight` has calls under way: outcomes come back as they are done, what a lost worker had
  is sent again, and nothing stays under way when it ends. `flight.in_turn` gives results in the
  order of their calls.
"""

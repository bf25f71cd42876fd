"""Many repositories at once: which, scanned on a Dask cluster, kept as Parquet, reported and compared."""

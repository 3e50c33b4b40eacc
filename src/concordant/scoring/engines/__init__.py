"""Many tables scored partition by partition: on this machine, on Ray, or on Spark."""

#!/usr/bin/env bash
# A query file by one rank on each node of a Slurm job:
#
#   sbatch --nodes=4 examples/ranks/slurm.sh DB FILE.q [flags of hdbench query]
#
# HDBENCH_LAUNCHER: mpirun (default), or srun where `srun --mpi=list` names pmix. Each task of an
# srun without PMIx is a job of its own, and prints the whole result.
#SBATCH --job-name=hdbench
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --mem=0
#SBATCH --time=00:30:00
#SBATCH --output=hdbench-%j.out
#SBATCH --error=hdbench-%j.err
set -euo pipefail
if [ $# -lt 2 ]; then
  echo "slurm.sh: $# arguments, expected DB FILE.q [flags of hdbench query]" >&2
  exit 2
fi
database=$1
queries=$2
shift 2

# One task a node, and it has all of the node's CPUs: since Slurm 22.05 a step no longer takes over
# --cpus-per-task from the job.
export SRUN_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-1}}
case ${HDBENCH_LAUNCHER:-mpirun} in
  mpirun) launch=(mpirun --map-by ppr:1:node --bind-to none) ;;
  srun) launch=(srun --mpi=pmix --cpu-bind=none) ;;
  *)
    echo "slurm.sh: HDBENCH_LAUNCHER '$HDBENCH_LAUNCHER', expected mpirun or srun" >&2
    exit 2
    ;;
esac
exec "${launch[@]}" hdbench query "$database" --file "$queries" "$@"

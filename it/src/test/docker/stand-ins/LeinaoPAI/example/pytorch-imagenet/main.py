"""Writes a checkpoint to the directory that the job has created."""
import argparse
import os

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, required=True)
parser.add_argument("--gpu_num", type=int, required=True)
args = parser.parse_args()

shm = os.statvfs("/dev/shm")
print("gpus", args.gpu_num, "visible", os.environ.get("CUDA_VISIBLE_DEVICES"), "shm MB", shm.f_blocks * shm.f_frsize >> 20)
torch.save(torch.nn.Linear(4, 2).state_dict(), "checkpoints/model_best.pth.tar")

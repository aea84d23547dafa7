"""Writes a small dataset of two classes in place of CIFAR-10."""
import argparse
import os
import random

parser = argparse.ArgumentParser()
parser.add_argument("--dataset_name", required=True)
parser.add_argument("--dataset_dir", required=True)
args = parser.parse_args()

random.seed(7)
os.makedirs(args.dataset_dir, exist_ok=True)
with open(os.path.join(args.dataset_dir, args.dataset_name + "_train.csv"), "w") as file:
    for _ in range(500):
        label = random.randrange(2)
        file.write("%d,%f,%f\n" % (label, random.gauss(3 * label, 1), random.gauss(-3 * label, 1)))
print("converted", args.dataset_name)

"""Trains a linear classifier on the small dataset and writes a checkpoint."""
import argparse
import os

import torch

parser = argparse.ArgumentParser()
for name in ["batch_size", "model_name", "dataset_name", "dataset_split_name", "dataset_dir", "train_dir"]:
    parser.add_argument("--" + name, required=True)
args = parser.parse_args()

path = os.path.join(args.dataset_dir, "%s_%s.csv" % (args.dataset_name, args.dataset_split_name))
rows = torch.tensor([[float(value) for value in line.split(",")] for line in open(path)])
labels, points = rows[:, 0].long(), rows[:, 1:]
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(points), labels)
    loss.backward()
    optimizer.step()
accuracy = (model(points).argmax(1) == labels).float().mean().item()
torch.save(model.state_dict(), os.path.join(args.train_dir, "model.ckpt-100"))
print("accuracy %.3f" % accuracy)
assert accuracy > 0.9

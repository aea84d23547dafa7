"""Runs a few training steps in place of the training on MNIST."""
import torch

torch.manual_seed(1)
points = torch.randn(256, 28 * 28)
labels = (points[:, 0] > 0).long()
model = torch.nn.Linear(28 * 28, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(20):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(points), labels)
    loss.backward()
    optimizer.step()
    print("Train Epoch: %d Loss: %.6f" % (epoch, loss.item()))

"""ResNet-18 for image classification, in the layout that torchvision made common."""
from typing import Callable, List, Optional, Type

import torch
from torch import Tensor, nn


def conv3x3(inputs: int, outputs: int, stride: int = 1) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, kernel_size=3, stride=stride, padding=1, bias=False)


def conv1x1(inputs: int, outputs: int, stride: int = 1) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, kernel_size=1, stride=stride, bias=False)


class BasicBlock(nn.Module):
    expansion: int = 1

    def __init__(self, inputs: int, planes: int, stride: int = 1,
                 downsample: Optional[nn.Module] = None,
                 norm_layer: Callable[..., nn.Module] = nn.BatchNorm2d) -> None:
        super().__init__()
        self.conv1 = conv3x3(inputs, planes, stride)
        self.bn1 = norm_layer(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(planes, planes * self.expansion)
        self.bn2 = norm_layer(planes * self.expansion)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Tensor) -> Tensor:
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self, block: Type[BasicBlock], layers: List[int], classes: int = 1000,
                 width: int = 64, zero_init_residual: bool = False,
                 norm_layer: Optional[Callable[..., nn.Module]] = None) -> None:
        super().__init__()
        if len(layers) != 4:
            raise ValueError(f"a ResNet has four stages, got {len(layers)}: {layers}")
        self._norm_layer = norm_layer or nn.BatchNorm2d
        self.inplanes = width
        self.conv1 = nn.Conv2d(3, width, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = self._norm_layer(width)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        for stage, blocks in enumerate(layers, start=1):
            planes = width * 2 ** (stage - 1)
            setattr(self, f"layer{stage}",
                    self._make_layer(block, planes, blocks, stride=1 if stage == 1 else 2))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(self.inplanes, classes)

        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(module, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(module.weight, 1)
                nn.init.constant_(module.bias, 0)
        if zero_init_residual:
            for module in self.modules():
                if isinstance(module, BasicBlock) and module.bn2.weight is not None:
                    nn.init.constant_(module.bn2.weight, 0)

    def _make_layer(self, block: Type[BasicBlock], planes: int, blocks: int,
                    stride: int = 1) -> nn.Sequential:
        outputs = planes * block.expansion
        downsample = None
        if stride != 1 or self.inplanes != outputs:
            downsample = nn.Sequential(conv1x1(self.inplanes, outputs, stride),
                                       self._norm_layer(outputs))
        layers = [block(self.inplanes, planes, stride, downsample, self._norm_layer)]
        self.inplanes = outputs
        for _ in range(1, blocks):
            layers.append(block(self.inplanes, planes, norm_layer=self._norm_layer))
        return nn.Sequential(*layers)

    def _features(self, x: Tensor) -> Tensor:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        for stage in range(1, 5):
            x = getattr(self, f"layer{stage}")(x)
        return torch.flatten(self.avgpool(x), 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.fc(self._features(x))


class ResNet18(ResNet):
    """The 18-layer network. `training=True` keeps batch statistics, as a fresh module does."""

    def __init__(self, classes: int = 1000, width: int = 64, training: bool = False,
                 **options) -> None:
        super().__init__(BasicBlock, [2, 2, 2, 2], classes=classes, width=width, **options)
        self.train(training)


if __name__ == "__main__":
    model = ResNet18(classes=10, width=8)
    print(sum(p.numel() for p in model.parameters()), "parameters")
    print(model(torch.rand(1, 3, 64, 64)).shape)

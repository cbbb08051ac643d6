"""Which classes of torch.nn derive from which, as code asks that sets up or freezes layers; lazy instance norms."""
import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm, _NormBase
from torch.nn.modules.conv import _ConvNd, _ConvTransposeNd
from torch.nn.modules.dropout import _DropoutNd
from torch.nn.modules.instancenorm import _InstanceNorm
from torch.nn.modules.loss import _Loss, _WeightedLoss
from torch.nn.modules.pooling import _AvgPoolNd, _LPPoolNd, _MaxPoolNd, _MaxUnpoolNd

BASES = (_BatchNorm, _NormBase, _InstanceNorm, _ConvNd, _ConvTransposeNd, _DropoutNd, _Loss, _WeightedLoss, nn.Hardtanh, nn.ConstantPad1d,
         nn.ConstantPad2d, nn.ConstantPad3d, nn.RNNBase, nn.Linear, nn.Upsample, _AvgPoolNd, _LPPoolNd, _MaxPoolNd, _MaxUnpoolNd)
LAYERS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.SyncBatchNorm, nn.InstanceNorm1d, nn.InstanceNorm3d, nn.LazyInstanceNorm2d, nn.LazyBatchNorm3d, nn.GroupNorm, nn.LayerNorm,
          nn.Conv2d, nn.ConvTranspose1d, nn.LazyConv3d, nn.Dropout2d, nn.AlphaDropout, nn.MSELoss, nn.L1Loss, nn.SmoothL1Loss, nn.HuberLoss, nn.CrossEntropyLoss,
          nn.NLLLoss, nn.BCELoss, nn.BCEWithLogitsLoss, nn.KLDivLoss, nn.TripletMarginLoss, nn.TripletMarginWithDistanceLoss, nn.MultiMarginLoss,
          nn.MarginRankingLoss, nn.CosineEmbeddingLoss, nn.HingeEmbeddingLoss, nn.SoftMarginLoss, nn.PoissonNLLLoss, nn.GaussianNLLLoss,
          nn.MultiLabelSoftMarginLoss, nn.CTCLoss, nn.ReLU, nn.ReLU6, nn.Hardtanh, nn.ZeroPad1d, nn.ZeroPad2d, nn.ZeroPad3d, nn.ReflectionPad2d, nn.LSTM,
          nn.LazyLinear, nn.UpsamplingNearest2d, nn.AvgPool3d, nn.MaxPool1d, nn.LPPool2d, nn.MaxUnpool2d)
SEEN = [[issubclass(layer, base) for base in BASES] for layer in LAYERS]
SEEN += [repr(layer) for layer in (nn.ReLU6(), nn.ReLU6(True), nn.Hardtanh(0, 2.5), nn.ZeroPad2d((1, 2, 3, 4)), nn.ConstantPad1d(2, 1.5), nn.InstanceNorm2d(3))]
SEEN += [nn.ReLU6().min_val, nn.ReLU6().max_val, nn.ZeroPad3d(1).value, nn.Hardtanh(min_value=-3.0, max_value=0.5).max_val, nn.HuberLoss("sum").reduction,
         nn.GaussianNLLLoss(reduction="none").reduction, list(nn.CrossEntropyLoss(torch.ones(3)).state_dict())]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.Sequential(nn.LazyInstanceNorm2d(), nn.LazyInstanceNorm2d(affine=False, momentum=None), nn.LazyInstanceNorm2d(track_running_stats=False))
        self.line, self.plain = nn.LazyInstanceNorm1d(), nn.LazyInstanceNorm3d(affine=False, track_running_stats=False)

    def forward(self, x):
        y = self.norms(x)
        return nn.functional.relu6(self.line(y.flatten(2))), self.plain(y.unsqueeze(-1)), nn.ReLU6()(y * 9), nn.ZeroPad2d((1, 0, 2, 0))(y)


net = Net()
net(torch.linspace(-1, 1, 2 * 3 * 4 * 4).view(2, 3, 4, 4).square())
SEEN += [[type(m).__name__ for m in net.modules()], [(n, tuple(v.shape)) for n, v in net.state_dict().items()], net.line.num_features, net.plain.num_features]
net.eval()


def entry(x):
    return net(x), SEEN

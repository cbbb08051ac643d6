"""Methods of torch.Tensor that are Python in terms of operations."""
import torch


class Methods:
    def float(self):
        return self.to(torch.float32)

    def double(self):
        return self.to(torch.float64)

    def half(self):
        return self.to(torch.float16)

    def bfloat16(self):
        return self.to(torch.bfloat16)

    def int(self):
        return self.to(torch.int32)

    def long(self):
        return self.to(torch.int64)

    def short(self):
        return self.to(torch.int16)

    def char(self):
        return self.to(torch.int8)

    def byte(self):
        return self.to(torch.uint8)

    def bool(self):
        return self.to(torch.bool)

    def type(self, dtype=None):
        if dtype is None:
            raise NotImplementedError("Tensor.type() without a dtype")
        return self.to(dtype)

    def type_as(self, other):
        return self.to(other.dtype)

    def cpu(self, memory_format=None):
        return self

    def cuda(self, device=None):
        raise RuntimeError("Found no NVIDIA driver on your system.")

    def detach_(self):
        return self

    def backward(self, gradient=None):
        raise NotImplementedError("Tensor.backward")

    def tolist(self):
        if self.dim() == 0:
            return self.item()
        return [row.tolist() for row in self]

    def numpy(self):
        raise NotImplementedError("Tensor.numpy")

    def new_tensor(self, data, dtype=None, device=None, requires_grad=False):
        return torch.tensor(data, dtype=self.dtype if dtype is None else dtype)

    def view_as(self, other):
        return self.view(other.shape)

    def reshape_as(self, other):
        return self.reshape(other.shape)

    def expand_as(self, other):
        return self.expand(other.shape)

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        return torch.norm(self, p, dim, keepdim, dtype=dtype)

    def split(self, split_size, dim=0):
        return torch.split(self, split_size, dim)

    def pin_memory(self):
        return self

    def share_memory_(self):
        return self

    def retain_grad(self):
        pass

    def __contains__(self, element):
        return (self == element).any().item()

    def __reversed__(self):
        return self.flip(0)

    def __format__(self, spec):
        if self.dim() == 0:
            return format(self.item(), spec)
        return object.__format__(self, spec)

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __index__(self):
        return self.item()

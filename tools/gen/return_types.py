#!/usr/bin/env python3
"""The classes of torch.return_types: their names and fields, as the installed PyTorch has them.

    return_types.py > lib/Capture/Known/ReturnTypes.def
"""
import torch


def main():
    print("//===- ReturnTypes.def - The classes of torch.return_types ----------------------------------===//")
    print(f"// PTC_RETURN_TYPE(Name, Fields), of PyTorch {torch.__version__.partition('+')[0]}: written by tools/gen/return_types.py; do not edit.")
    print("//===----------------------------------------------------------------------===//")
    for kind in sorted(torch.return_types.all_return_types, key=lambda kind: kind.__name__):
        assert len(kind.__match_args__) == kind.n_fields == kind.n_sequence_fields and not kind.n_unnamed_fields
        print(f'PTC_RETURN_TYPE("{kind.__name__}", "{" ".join(kind.__match_args__)}")')
    print("#undef PTC_RETURN_TYPE")


if __name__ == "__main__":
    main()

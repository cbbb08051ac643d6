"""The truth of an object whose length the run knows."""


class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


def entry(x):
    def truth(n):
        try:
            return 1 if Sized(n) else 0
        except ValueError as error:
            return str(error)

    return truth(int(x[0])), truth(int(x[1])), not Sized(abs(int(x[2]))), truth(x.shape[0] - 3)

"""torch.fft and torch.stft: frontends of sound, mixing of words and of images by their spectra, all norms and lengths."""
import torch


def bank(bins, mels):
    """Triangles."""
    middles = torch.linspace(0, bins - 1, mels + 2)
    low, middle, high = middles[:-2, None], middles[1:-1, None], middles[2:, None]
    place = torch.arange(bins)[None]
    return torch.minimum((place - low) / (middle - low), (high - place) / (high - middle)).clamp(min=0)


BANK = bank(33, 12)
WINDOW = torch.hann_window(64)
FILTER = torch.complex(torch.linspace(-1, 1, 6 * 5 * 4).reshape(6, 5, 4), torch.linspace(2, -1, 6 * 5 * 4).reshape(6, 5, 4))


def mel(wave):
    power = torch.stft(wave, 64, 20, window=WINDOW, return_complex=True).abs() ** 2
    log = (BANK @ power).clamp(min=1e-10).log10()
    return torch.maximum(log, log.max() - 8.0)


def words(x):
    """FNet."""
    return torch.fft.fftn(x, dim=(1, 2)).real + torch.fft.fft(torch.fft.fft(x, dim=-1), dim=-2).real


def image(x):
    """GFNet, AFNO."""
    spectrum = torch.fft.rfft2(x, dim=(1, 2), norm="ortho")
    return torch.fft.irfft2(spectrum * FILTER, s=x.shape[1:3], dim=(1, 2), norm="ortho")


def round_trip(wave):
    spectra = torch.stft(wave, 64, 16, 60, torch.hamming_window(60), normalized=True, return_complex=True)
    whole = torch.stft(wave, 40, 10, window=torch.ones(40), center=False, onesided=False, return_complex=True)
    return (torch.istft(spectra, 64, 16, 60, torch.hamming_window(60), normalized=True, length=wave.shape[-1]), torch.view_as_real(spectra), torch.view_as_real(whole),
            torch.istft(spectra * 0.5, 64, 16, 60, torch.hamming_window(60), normalized=True))


def of_length(x):
    """Products, factors, and a prime number of elements."""
    found = []
    for n in (1, 2, 7, 60, 120, 400, 521, 1024):
        spectrum = torch.fft.rfft(x, n)
        whole = torch.fft.fft(x, n, norm="forward")
        found += [torch.view_as_real(spectrum), torch.view_as_real(whole), torch.fft.irfft(spectrum, n), torch.view_as_real(torch.fft.ifft(whole * 1j, norm="forward")),
                  torch.fft.hfft(spectrum, n, norm="ortho")]
    return found


def order(x):
    z = torch.fft.fftshift(torch.fft.fft2(x), dim=(-1, -2))
    return (torch.view_as_real(z), torch.view_as_real(torch.fft.ifftshift(z)), torch.fft.fftfreq(6, 0.5), torch.fft.rfftfreq(x.shape[-1]),
            torch.fft.fftfreq(0), torch.fft.rfftfreq(0), torch.fft.fftfreq(4, -0.0),
            torch.view_as_real(torch.fft.fft(x.transpose(0, 2), dim=1)), torch.view_as_real(torch.fft.ihfft(x, dim=0).resolve_conj()), torch.fft.irfftn(torch.fft.rfftn(x.double())))


def entry(wave, x):
    return mel(wave), words(x), image(x), round_trip(wave), of_length(x[0, :2, 1]), order(x[1])

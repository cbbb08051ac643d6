"""torch.hub: models of a folder with a hubconf, where -I names it. Nothing comes from the network."""
from os import path as _path

from _ptc import _is_module
from _ptc_torch import _refuse


def _hubconf_in(repo_dir):
    """The module of the folder, run once and not for each load."""
    folder = repo_dir if _path.isabs(repo_dir) else None
    if not _is_module("hubconf"):
        _refuse(f"torch.hub of the folder {repo_dir!r}, which has no bytecode of hubconf.py where -I looks (-I {repo_dir}),")
    hubconf = __import__("hubconf")
    found = _path.dirname(hubconf.__file__)
    if found != folder and (folder is not None or not found.endswith("/" + _path.normpath(repo_dir).lstrip("./"))):
        _refuse(f"torch.hub of the folder {repo_dir!r}, where -I finds the hubconf of another one ({found}),")
    for name in getattr(hubconf, "dependencies", None) or ():
        if not _is_module(name):
            raise RuntimeError(f"Missing dependencies: {name}")
    return hubconf


def _entry_of(repo_or_dir, model, source):
    if source.lower() not in ("github", "local"):
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    if source.lower() == "github":
        _refuse("torch.hub of a repository that the network has")
    hubconf = _hubconf_in(repo_or_dir)
    if not isinstance(model, str):
        raise ValueError("Invalid input: model should be a string of function name")
    entry = getattr(hubconf, model, None)
    if entry is None or not callable(entry):
        raise RuntimeError(f"Cannot find callable {model} in hubconf")
    return entry


def load(repo_or_dir, model, *args, source="github", trust_repo=None, force_reload=False, verbose=True, skip_validation=False, **kwargs):
    return _entry_of(repo_or_dir, model, source)(*args, **kwargs)


def help(github, model, force_reload=False, skip_validation=False, trust_repo=None, source="github"):
    return _entry_of(github, model, source).__doc__

"""Which folder a command is about, and which file in it: `crimes.system.roots`, under the name the commands know it by."""

from crimes.system.roots import chosen_file, chosen_root, enclosing_root

__all__ = ["chosen_file", "chosen_root", "enclosing_root"]

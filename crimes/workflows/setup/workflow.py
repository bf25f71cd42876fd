"""Workflows of CI hosts. None needs a token or a secret, so they run for changes from forks too."""

from __future__ import annotations

import json
from enum import StrEnum

from crimes import __version__


class Host(StrEnum):
    """The hosts a workflow can be written for."""

    GITHUB = "github"
    GITLAB = "gitlab"


# Where a workflow goes. GitLab has one file; where that is taken, a second one that it can include.
PATHS = {
    Host.GITHUB: (".github/workflows/crimes.yml",),
    Host.GITLAB: (".gitlab-ci.yml", ".gitlab/crimes.yml"),
}

_GITHUB = """\
# No token is used: this works for pull requests from forks as well.
name: crimes
on:
  push:
    branches: [{branch}]
  pull_request:
permissions:
  contents: read
concurrency:
  group: crimes-${{{{ github.ref }}}}
  cancel-in-progress: true
jobs:
  crimes:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 0 # scores and comparisons need the history
          persist-credentials: false
      - uses: actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0
        with:
          python-version: "3.13"
      - run: python -m pip install crimes-cli=={version}
      - name: Annotations and job summary
        if: github.event_name != 'pull_request'
        run: crimes scan --quiet --format github
      - name: Annotations and job summary of what is changed
        if: github.event_name == 'pull_request'
        env:
          BASE: origin/${{{{ github.base_ref }}}}
        run: crimes scan --quiet --format github --changed "--base=$BASE"
      - name: No new findings of high severity
        if: github.event_name == 'pull_request'
        env:
          BASE: origin/${{{{ github.base_ref }}}}
        run: crimes diff "--base=$BASE" --fail-on high
"""

_GITLAB = """\
crimes:
  image: python:3.13
  variables:
    GIT_DEPTH: "0" # scores and comparisons need the history
  script:
    - python -m pip install crimes-cli=={version}
    - crimes scan --gitlab-output gl-code-quality-report.json
    - |
      if [ -n "$CI_MERGE_REQUEST_DIFF_BASE_SHA" ]; then
        crimes diff "--base=$CI_MERGE_REQUEST_DIFF_BASE_SHA" --fail-on high
      fi
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
"""


def workflow(host: Host, branch: str) -> str:
    """The text of a workflow; `branch` is the one whose pushes are scanned."""
    text = _GITHUB if host is Host.GITHUB else _GITLAB
    return text.format(branch=json.dumps(branch), version=__version__)

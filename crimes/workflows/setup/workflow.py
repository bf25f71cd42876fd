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
# A pull request: new findings as annotations on changed lines, and exit 1 on one of high severity.
# A push: the worst findings in the job summary. No token is used, so pull requests from forks work too.
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
{permissions}\
    env:
      CRIMES_CACHE_DIR: /tmp/crimes-cache
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 0 # the base of the pull request, and the history that scores rest on
          persist-credentials: false
      - uses: actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0
        with:
          python-version: "3.13"
      - id: cache
        uses: actions/cache/restore@27d5ce7f107fe9357f9df03efb73ab90386fccae # v5.0.5
        with:
          path: ${{{{ env.CRIMES_CACHE_DIR }}}}
          key: crimes-{version}-${{{{ github.sha }}}}
          restore-keys: crimes-{version}-
      - run: python -m pip install crimes-cli=={version}
      - name: New findings
        if: github.event_name == 'pull_request'
        env:
          BASE: ${{{{ github.base_ref }}}}
        run: crimes diff "--base=origin/$BASE" --format github --fail-on high
      - name: Worst findings
        if: github.event_name != 'pull_request'
        run: crimes scan --quiet --format github{sarif_option}
{upload}\
      - if: ${{{{ !cancelled() && steps.cache.outputs.cache-hit != 'true' }}}} # after a failed gate, too
        uses: actions/cache/save@27d5ce7f107fe9357f9df03efb73ab90386fccae # v5.0.5
        with:
          path: ${{{{ env.CRIMES_CACHE_DIR }}}}
          key: crimes-{version}-${{{{ github.sha }}}}
"""

_SARIF_PERMISSIONS = """\
    permissions:
      contents: read
      actions: read # the upload looks up its own run, in a private repository
      security-events: write # the upload itself
"""

# Pull requests from forks may not upload.
_SARIF_UPLOAD = """\
      - if: github.event_name != 'pull_request'
        uses: github/codeql-action/upload-sarif@8aad20d150bbac5944a9f9d289da16a4b0d87c1e # v4.36.2
        with:
          sarif_file: ${{ runner.temp }}/crimes.sarif
"""

_GITLAB = """\
crimes:
  image: python:3.13
  variables:
    GIT_DEPTH: "0" # the base of the merge request, and the history that scores rest on
    CRIMES_CACHE_DIR: $CI_PROJECT_DIR/.git/crimes-cache # only what is inside the project can be cached
  cache:
    key: crimes-{version}
    paths: [.git/crimes-cache/]
    when: always
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


def workflow(host: Host, branch: str, *, sarif: bool = False) -> str:
    """The text of a workflow; `branch` is the one whose pushes are scanned. `sarif` uploads those scans to GitHub."""
    if host is Host.GITLAB:
        return _GITLAB.format(version=__version__)
    return _GITHUB.format(
        branch=json.dumps(branch),
        version=__version__,
        permissions=_SARIF_PERMISSIONS if sarif else "",
        sarif_option=' --sarif-output "$RUNNER_TEMP/crimes.sarif"' if sarif else "",
        upload=_SARIF_UPLOAD if sarif else "",
    )

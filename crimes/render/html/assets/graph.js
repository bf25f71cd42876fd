// The graph of folders comes drawn. Here it lights up what a folder has to do with, and leads to the folder on the map.

function setUpGraph() {
  const graph = byId("graph");
  if (!graph) return;
  const edges = [...graph.querySelectorAll(".edge")];
  const nodes = [...graph.querySelectorAll(".node")];
  // On a narrow screen begin with the first folder of the top row, which may stand far from the edge.
  const places = nodes.map((node) => node.getBoundingClientRect()).sort((a, b) => a.top - b.top || a.left - b.left);
  const room = graph.parentElement;
  if (places.length) room.scrollLeft = places[0].left - room.getBoundingClientRect().left - 12;
  const light = (number) => {
    graph.classList.toggle("lit", number !== null);
    const near = new Set([number]);
    for (const edge of edges) {
      const from = edge.getAttribute("data-from"), to = edge.getAttribute("data-to");
      const touches = from === number || to === number;
      edge.classList.toggle("near", touches);
      if (touches) near.add(from).add(to);
    }
    for (const node of nodes) node.classList.toggle("near", near.has(node.getAttribute("data-folder")));
  };
  for (const node of nodes) {
    const number = node.getAttribute("data-folder");
    const open = () => {
      const path = data.graph[number] === "." ? "" : data.graph[number];
      let folder = folderByPath.get(path);
      // A folder in the middle of a chain of folders is not on the map by itself: the first one below it is.
      if (!folder) folder = folders.find((other) => other.path.startsWith(`${path}/`));
      writeState({ folder: folder ? folder.path : "", file: "" }, true);
      byId("map").scrollIntoView();
      byId("map").focus({ preventScroll: true });
    };
    withAttributes(node, { tabindex: "0", role: "button" });
    node.addEventListener("pointerenter", () => light(number));
    node.addEventListener("pointerleave", () => light(null));
    node.addEventListener("focus", () => light(number));
    node.addEventListener("blur", () => light(null));
    node.addEventListener("click", open);
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open();
    });
  }
}

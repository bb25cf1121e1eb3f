/** The graph under a pointer that is pressed and drawn along, and under the keys. */

/** Tell the place that is pointed at, 0 to 1 from the left, when the pointer goes down and while it is down. */
export function connectGraph(graph: SVGElement, point: (place: number) => void): void {
  const tell = ({ clientX }: PointerEvent): void => {
    const { left, width } = graph.getBoundingClientRect();
    point((clientX - left) / width);
  };
  graph.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    graph.setPointerCapture(event.pointerId);
    tell(event);
  });
  graph.addEventListener("pointermove", (event) => {
    if (graph.hasPointerCapture(event.pointerId)) tell(event);
  });
}

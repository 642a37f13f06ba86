/** Times of a page's first flame graph, in milliseconds since it was opened. */
interface PageClock {
  /** The link to the page was clicked. */
  clickedAt: number;
  /** The first bytes of the graph were there. */
  bytesAt: number;
  /** The frame that shows the graph, or its preview, was done. */
  paintedAt: number;
  /** The frame that shows the whole graph, after its preview, was done. */
  wholeAt: number;
}

declare global {
  interface Window {
    flameClock: PageClock;
  }
}

/**
 * Runs in the page before anything of the app: notes when the first bytes have come and when the first labels after them are on the
 * canvas. A chart can write its own before. The hooks are gone after their first use, so they cost the frames that are measured nothing.
 */
export function installClock(): void {
  const never = Number.NaN;
  const clock: PageClock = { clickedAt: never, bytesAt: never, paintedAt: never, wholeAt: never };
  window.flameClock = clock;
  const body = Object.getOwnPropertyDescriptor(Response.prototype, "body")!;
  Object.defineProperty(Response.prototype, "body", {
    ...body,
    get(this: Response) {
      const stream: ReadableStream<Uint8Array> | null = body.get!.call(this);
      if (stream !== null && this.url.includes("/flamegraph/")) {
        Object.defineProperty(Response.prototype, "body", body);
        noteFirstBytes(stream);
      }
      return stream;
    },
  });
  function noteFirstBytes(stream: ReadableStream<Uint8Array>): void {
    const reader = stream.getReader();
    const read = reader.read.bind(reader);
    reader.read = async () => {
      const part = await read();
      reader.read = read;
      clock.bytesAt = performance.now();
      noteNextText("paintedAt");
      return part;
    };
    stream.getReader = (() => reader) as typeof stream.getReader;
  }
  // The worker that decodes the whole graph ends when it is done.
  const { terminate } = Worker.prototype;
  Worker.prototype.terminate = function (this: Worker) {
    Worker.prototype.terminate = terminate;
    noteNextText("wholeAt");
    terminate.call(this);
  };
  function noteNextText(time: "paintedAt" | "wholeAt"): void {
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (...args) {
      CanvasRenderingContext2D.prototype.fillText = fillText;
      // The next frame begins when this one has been rasterised and handed over.
      requestAnimationFrame(() => {
        clock[time] = performance.now();
      });
      fillText.apply(this, args);
    };
  }
}

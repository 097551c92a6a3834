// Where the page's requests go: to a worker, which is given up when it takes too long or fails.
const SECONDS = 120;
let worker = null;
let loaded = null;
let number = 0;
const waiting = new Map();

function begin() {
  worker = new Worker("worker.js");
  loaded = new Promise((loads) => {
    worker.onmessage = ({ data }) => {
      if (data.loaded) return loads();
      waiting.get(data.number)?.(data);
      waiting.delete(data.number);
      if (data.failed) giveUp("It failed and is started again.");
    };
    worker.onerror = (event) => giveUp(event.message || "It could not be loaded.");
  });
}

function giveUp(message) {
  worker.terminate();
  worker = null;
  for (const answered of waiting.values()) answered({ status: 503, text: JSON.stringify({ message }) });
  waiting.clear();
}

globalThis.ask = async (path, options) => {
  if (worker === null) begin();
  const own = number++;
  const { status, text } = await new Promise((answered) => {
    waiting.set(own, answered);
    worker.postMessage({ number: own, path, body: options?.body ?? "" });
    loaded.then(() => setTimeout(() => {
      if (waiting.has(own)) giveUp(`This took longer than ${SECONDS} seconds and was ended.`);
    }, SECONDS * 1000));
  });
  return new Response(text, { status, headers: { "Content-Type": "application/json" } });
};

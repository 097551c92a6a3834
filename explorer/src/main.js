// The page of `corro explore`. All texts come in as data and go into the page as text, never as HTML.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { MergeView } from "@codemirror/merge";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const PAUSE = 400; // milliseconds without a key before a text is looked at
const element = (id) => document.getElementById(id);
const state = { name: "train.py", notebook: null, largest: [], shown: null, file: 0, rules: new Map(), asked: 0, timer: 0, finding: -1, newline: "\n" };

function made(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

// ---------------------------------------------------------------------- the two editors

const style = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], color: "var(--keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.className], color: "var(--name)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
]);

const marked = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(found, transaction) {
    for (const effect of transaction.effects) if (effect.is(marked)) return effect.value;
    return found.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const written = StateEffect.define();
const rulesOfLines = StateField.define({
  create: () => ({}),
  update(found, transaction) {
    for (const effect of transaction.effects) if (effect.is(written)) return effect.value;
    return transaction.docChanged ? {} : found;
  },
});

class RuleMarker extends GutterMarker {
  constructor(rules) {
    super();
    this.rules = rules;
  }
  eq(other) {
    return other.rules.join() === this.rules.join();
  }
  toDOM() {
    const node = made("span", "cm-rule", "◆");
    node.title = `${this.rules.join(", ")}: click for the reason`;
    return node;
  }
}

const ruleGutter = gutter({
  class: "cm-rules",
  lineMarker(view, line) {
    const rules = view.state.field(rulesOfLines)[view.state.doc.lineAt(line.from).number];
    return rules ? new RuleMarker(rules) : null;
  },
  lineMarkerChange: (update) => update.startState.field(rulesOfLines) !== update.state.field(rulesOfLines),
  initialSpacer: () => new RuleMarker([""]),
  domEventHandlers: {
    mousedown(view, line) {
      view.dispatch({ selection: { anchor: line.from } });
      return false;
    },
  },
});

function offset(doc, line, column) {
  if (line < 1 || line > doc.lines) return doc.length;
  const found = doc.line(line);
  return Math.min(found.from + column, found.to);
}

const placements = hoverTooltip((view, at) => {
  const shown = state.shown;
  if (!shown || state.file !== 0 || view.state.doc.toString() !== current().before) return null;
  let best = null;
  for (const [line, column, lastLine, lastColumn, label] of shown.values) {
    const from = offset(view.state.doc, line, column);
    const to = offset(view.state.doc, lastLine, lastColumn);
    if (from <= at && at <= to && (!best || to - from <= best.to - best.from)) best = { from, to, label };
  }
  if (!best) return null;
  return {
    pos: best.from,
    end: best.to,
    above: true,
    create() {
      const dom = made("div", "told");
      dom.append(made("b", "", view.state.sliceDoc(best.from, best.to).split("\n")[0].slice(0, 60)));
      dom.append(made("span", "", shown.labels[best.label]));
      return { dom };
    },
  };
});

const common = [
  lineNumbers(), python(), syntaxHighlighting(style), drawSelection(), highlightActiveLine(), highlightSelectionMatches(),
  indentUnit.of("    "), EditorView.lineWrapping,
  keymap.of([{ key: "F8", run: nextFinding }, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
];

const fixed = new Compartment(); // a notebook is shown as the text of its cells, which cannot be changed here

const editors = new MergeView({
  parent: element("editors"),
  a: {
    doc: "",
    extensions: [
      common, history(), marks, placements, fixed.of([]),
      EditorView.contentAttributes.of({ "aria-label": "Script" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed();
      }),
      EditorView.domEventHandlers({
        paste(event) {
          const text = event.clipboardData.getData("text/plain");
          if (state.notebook === null || !text.trim()) return false;
          event.preventDefault();
          begin("train.py", text);
          return true;
        },
      }),
    ],
  },
  b: {
    doc: "",
    extensions: [
      common, ruleGutter, rulesOfLines, EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": "Distributed program, read only" }),
      EditorView.updateListener.of((update) => {
        if (update.selectionSet || update.docChanged) explainLine();
      }),
    ],
  },
  collapseUnchanged: { margin: 3, minSize: 8 },
  gutter: true,
});

function current() {
  return state.shown.files[state.file];
}

// ---------------------------------------------------------------------- what is asked and shown

let setting = false;

function setText(view, text) {
  setting = true;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  setting = false;
}

function changed() {
  if (setting) return;
  clearTimeout(state.timer);
  state.timer = setTimeout(look, PAUSE);
}

function say(text, outcome = "") {
  element("status").textContent = text;
  element("status").dataset.outcome = outcome;
}

async function look() {
  clearTimeout(state.timer);
  const number = ++state.asked;
  const script = state.file === 0 || !state.shown ? editors.a.state.doc.toString() : state.shown.files[0].before;
  const text = state.notebook ?? (state.newline === "\n" ? script : script.replaceAll("\n", state.newline));
  if (!text.trim() && state.notebook === null) {
    say("Paste a training script on the left, or drop one.");
    return show(null);
  }
  say("Looking at it…");
  const body = { text, name: state.name, target: element("target").value, scaling: element("scaling").value };
  try {
    const answer = await globalThis.ask("view", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const shown = await answer.json();
    if (number !== state.asked) return; // a later text is being looked at
    if (!answer.ok) {
      say(shown.message, "error");
      return show(null);
    }
    await show(shown);
  } catch (error) {
    if (number === state.asked) say(`The explorer does not answer: ${error.message}. Is it still running?`, "error");
  }
}

async function show(shown) {
  state.shown = shown;
  state.file = 0;
  state.finding = -1;
  const target = element("target");
  if (shown) {
    const chosen = shown.targets.includes(target.value) ? target.value : "";
    target.replaceChildren(...["", ...shown.targets].map((name) => option(name, name || `default${shown.target && !chosen ? ` (${shown.target})` : ""}`)));
    target.value = chosen;
    const count = shown.files.reduce((sum, file) => sum + file.changes.length, 0);
    const levels = ["refused", "assumes", "review", "note"].map((level) => [level, shown.findings.filter((each) => each.level === level).length]);
    const told = levels.filter(([, n]) => n).map(([level, n]) => `${n} ${level}`).join(", ");
    const changes = shown.patch ? `${count} ${count === 1 ? "change" : "changes"} for ${shown.target}` : "";
    say([shown.outcome, changes, told].filter(Boolean).join(" · "), shown.outcome);
  }
  element("copy").disabled = element("download").disabled = !(shown && shown.patch);
  const files = shown ? shown.files : [];
  element("file").replaceChildren(...files.map((file, index) => option(String(index), file.name)));
  element("file-label").hidden = files.length < 2;
  showFindings();
  showFile();
}

function option(value, text) {
  const node = made("option", "", text);
  node.value = value;
  return node;
}

function showFile() {
  const file = state.shown ? current() : null;
  if (file && (state.file !== 0 || state.notebook !== null)) setText(editors.a, file.before.replace(/\r\n?/g, "\n"));
  const program = file ? (file.after ?? "") : "";
  setText(editors.b, program.replace(/\r\n?/g, "\n"));
  editors.b.dispatch({ effects: written.of(file ? file.lines : {}) });
  editors.a.dispatch({ effects: marked.of(file && state.file === 0 ? underlined() : Decoration.none) });
  explainLine();
}

function underlined() {
  const doc = editors.a.state.doc;
  const builder = new RangeSetBuilder();
  const places = state.shown.findings.filter((each) => !each.file).map((each) => {
    const from = offset(doc, each.at[0], each.at[1]);
    const end = Math.min(offset(doc, each.at[2], each.at[3]), doc.lineAt(from).to);
    return { from, to: Math.max(end, Math.min(from + 1, doc.length)), level: each.level, message: each.message };
  });
  places.sort((a, b) => a.from - b.from || a.to - b.to);
  for (const { from, to, level, message } of places) {
    if (from < to) builder.add(from, to, Decoration.mark({ class: `cm-finding ${level}`, attributes: { title: message } }));
  }
  return builder.finish();
}

function showFindings() {
  const found = state.shown ? state.shown.findings : [];
  const items = found.map((each, index) => {
    const button = made("button", each.level);
    button.type = "button";
    button.append(made("span", "level", `${each.level}: `), made("span", "", each.message));
    if (each.advice) button.append(made("span", "advice", each.advice));
    button.append(made("span", "where", `${each.file || state.name}:${each.where}${each.rule ? ` · ${each.rule}` : ""}`));
    button.addEventListener("click", () => goTo(index));
    const item = made("li");
    item.append(button);
    return item;
  });
  if (!items.length) items.push(made("li", "", state.shown ? "None." : ""));
  element("findings").replaceChildren(...items);
}

function goTo(index) {
  const each = state.shown.findings[index];
  state.finding = index;
  if (each.rule) explain([each.rule], []);
  if (each.file) return;
  const at = offset(editors.a.state.doc, each.at[0], each.at[1]);
  editors.a.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
  editors.a.focus();
}

function nextFinding() {
  const count = state.shown ? state.shown.findings.length : 0;
  if (count) goTo((state.finding + 1) % count);
  return count > 0;
}

// ---------------------------------------------------------------------- why a line was written

function explainLine() {
  if (!state.shown || !state.shown.patch) {
    element("line").replaceChildren();
    return;
  }
  const line = editors.b.state.doc.lineAt(editors.b.state.selection.main.head).number;
  const rules = current().lines[line];
  if (!rules) {
    element("line").replaceChildren(made("p", "", "As in the script. Lines that were written have a ◆."));
    return;
  }
  explain(rules, current().changes.filter((each) => rules.includes(each.rule)));
}

async function explain(rules, changes) {
  const known = await Promise.all(rules.map(page));
  const parts = [];
  for (const rule of known.filter(Boolean)) {
    parts.push(made("h3", "", rule.name), made("p", "", plain(rule.title)));
    const reasons = [...new Set(changes.filter((each) => each.rule === rule.name).map((each) => each.reason))];
    if (reasons.length) parts.push(made("p", "source", `Here: ${reasons.join("; ")}.`));
    for (const section of rule.sections) {
      parts.push(made("h4", "", section.heading));
      for (const block of section.blocks) parts.push(made(block.code ? "pre" : "p", "", block.code ? block.text : plain(block.text)));
    }
  }
  element("line").replaceChildren(...parts);
}

const plain = (text) => text.replaceAll("``", "`");

async function page(name) {
  if (!state.rules.has(name)) {
    const answer = await globalThis.ask(`rule/${encodeURIComponent(name)}`);
    state.rules.set(name, answer.ok ? await answer.json() : null);
  }
  return state.rules.get(name);
}

// ---------------------------------------------------------------------- files

const isNotebook = (name) => name.endsWith(".ipynb");

async function open(file) {
  const largest = state.largest[isNotebook(file.name) ? 1 : 0];
  if (file.size > largest) return say(`${file.name} is too large: ${largest / 2 ** 20} MB at most.`, "error");
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: isNotebook(file.name) });
    begin(file.name, decoder.decode(await file.arrayBuffer()));
  } catch {
    say(`${file.name} is not UTF-8. Save it as UTF-8, or use: corro compile ${file.name}`, "error");
  }
}

function begin(name, text) {
  state.name = name;
  state.notebook = isNotebook(name) ? text : null;
  state.shown = null;
  state.file = 0;
  state.newline = /\r\n/.test(text) ? "\r\n" : "\n";
  editors.a.dispatch({ effects: fixed.reconfigure(EditorState.readOnly.of(state.notebook !== null)) });
  setText(editors.a, state.notebook === null ? text.replace(/\r\n?/g, "\n") : "");
  element("before").textContent = state.notebook === null ? "Script" : "Cells of the notebook, read only";
  document.title = `${name} · Corro explorer`;
  return look();
}

function save(name, text) {
  const link = made("a");
  link.href = URL.createObjectURL(new Blob([text], { type: isNotebook(name) ? "application/x-ipynb+json" : "text/x-python" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

element("open").addEventListener("click", () => element("chosen").click());
element("chosen").addEventListener("change", (event) => event.target.files[0] && open(event.target.files[0]));
for (const id of ["target", "scaling"]) element(id).addEventListener("change", look);
element("file").addEventListener("change", (event) => {
  if (state.file === 0) state.shown.files[0].before = editors.a.state.doc.toString();
  state.file = Number(event.target.value);
  if (state.file === 0) setText(editors.a, current().before.replace(/\r\n?/g, "\n"));
  showFile();
});
element("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(state.shown.patch);
    const told = state.notebook === null ? "The patch is in the clipboard; git apply takes it." : "The changes of the cells are in the clipboard.";
    say(told, state.shown.outcome);
  } catch {
    save(`${state.name}.patch`, state.shown.patch);
  }
});
element("download").addEventListener("click", () => {
  if (state.file === 0) save(state.shown.program, state.notebook === null ? current().after : state.shown.notebook);
  else save(current().name.split("/").pop(), current().after);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "F8" && !event.defaultPrevented) nextFinding();
});
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    if (!event.dataTransfer || ![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    document.body.classList.toggle("dropping", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
  }, true);
}

async function start() {
  say("Loading…");
  const begun = await (await globalThis.ask("start")).json();
  state.largest = begun.largest;
  element("scaling").replaceChildren(...begun.scalings.map((name) => option(name, name)));
  if (begun.text !== null) await begin(begun.name, begun.text);
  else if (state.asked === 0) say("Paste a training script on the left, or drop one.");
}

start();

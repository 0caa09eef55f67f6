// The raters' page: shows a question, sends the answer, shows the next.
//
// Every reply of the server says what is next, so the page keeps nothing but the one answer that is
// on its way: in the tab's storage, until the server has said that it counts. An answer carries an
// attempt, a drawn text that stays the same when it is sent again.
"use strict";

let settling = 300; // ms in which a new question takes no answer: the second half of a double click
const POLL = { waiting: 1000, finished: 5000 }; // ms between looks, by which raters stay in line
const AGAIN = [500, 1000, 2000, 4000, 8000]; // ms between attempts while there is no connection
const PATIENCE = 15000; // ms for a reply
const SAID = {
  first: "You chose the first.",
  second: "You chose the second.",
  tie: "You said that they are equal.",
  skip: "Skipped.",
  undo: "Your last answer was taken back.",
};

const part = (id) => document.getElementById(id);
const token = decodeURIComponent(location.hash.slice(1));
const stored = (kind, key) => {
  try { return kind.getItem(key) || ""; } catch { return ""; }
};
const store = (kind, key, value) => {
  try { if (value) kind.setItem(key, value); else kind.removeItem(key); } catch { /* private */ }
};

let rater = token ? "" : stored(sessionStorage, "rater");
let state = null; // the last reply
let busy = false; // a request is on its way
let shownAt = 0;
let game = ""; // who won the first game of a pair, once that is said
let timer = 0;

// ---- talking to the server ----

async function post(address, body) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const signal = AbortSignal.timeout ? AbortSignal.timeout(PATIENCE) : undefined;
  const options = { method: "POST", headers, signal, body: JSON.stringify({ rater, ...body }) };
  const reply = await fetch(address, options);
  let content = {};
  try { content = await reply.json(); } catch (error) { if (reply.ok) throw error; }
  if (reply.ok) return content;
  const failure = new Error(content.error || `The server answered ${reply.status}.`);
  failure.status = reply.status;
  throw failure;
}

// Send until there is a reply. What the server refuses is not sent again.
async function send(address, body, said) {
  if (busy) return;
  busy = true;
  clearTimeout(timer);
  if (body.attempt) store(sessionStorage, "pending", JSON.stringify({ address, body, said, rater }));
  document.body.classList.add("busy");
  let refused = null;
  let reply = null;
  for (let tries = 0; reply === null && refused === null; tries += 1) {
    try {
      reply = await post(address, body);
    } catch (error) {
      if (error.status && error.status < 500 && error.status !== 429) {
        refused = error;
      } else {
        notice(body.attempt
          ? `${error.status ? error.message : "No connection."} Your answer is kept and sent again.`
          : "No connection. Trying again …");
        await pause(AGAIN[Math.min(tries, AGAIN.length - 1)]);
      }
    }
  }
  notice("");
  store(sessionStorage, "pending", "");
  busy = false;
  document.body.classList.remove("busy");
  if (refused) refuse(refused, address);
  else show(reply, reply.note || said);
}

// Ask again; who does not look keeps no place.
function look() {
  if (document.hidden) addEventListener("visibilitychange", look, { once: true });
  else next();
}

// Wait, or until the browser says that there is a connection again.
function pause(time) {
  return new Promise((resolve) => {
    const done = () => { clearTimeout(waiting); removeEventListener("online", done); resolve(); };
    const waiting = setTimeout(done, time);
    addEventListener("online", done);
  });
}

function refuse(error, address) {
  if (error.status === 409 && address !== "/api/question") {
    say(error.message);
    next();
  } else if (!token && error.status === 400 && !state) {
    enter(error.message);
  } else if (!token && error.status === 401) {
    stop("This page needs the link that you were given, whole, with what stands after “#”.");
  } else {
    stop(error.message);
  }
}

const next = () => send("/api/question", {}, "");

function draw() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// ---- what a rater does ----

function ready() {
  return !busy && state && state.state === "question" && performance.now() - shownAt > settling;
}

const games = () => state.question.kind === "games";
const duel = () => state.question.kind === "duel" || games();

function answer(outcome) {
  if (!ready() || !duel()) return;
  if (games() && !game) {
    question(state.question, outcome);
    part("undo").disabled = false;
    return;
  }
  const chosen = part(`card-${outcome}`);
  if (chosen) chosen.classList.add("chosen");
  const said = games() ? `${game},${outcome}` : outcome;
  send("/api/answer", { id: state.question.id, outcome: said, attempt: draw() }, games() ? "Both are saved." : SAID[outcome]);
}

// A number as people write it; a decimal comma is one, two marks are none.
function save() {
  if (!ready() || duel()) return;
  const text = part("value").value.trim();
  const number = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(text);
  const value = number ? Number(text.replace(",", ".")) : NaN;
  const either = /[1-9]\d*,\d{3}$/.test(text); // a thousand, or a decimal comma
  if (either) wrong(`Please write ${text.replace(",", "")} or ${text.replace(",", ".")}.`);
  else wrong(Number.isFinite(value) ? "" : "Please type a number, such as 7.5.");
  if (either || !Number.isFinite(value)) return;
  send("/api/answer", { id: state.question.id, outcome: value, attempt: draw() }, `Saved: ${value}.`);
}

function wrong(text) {
  part("wrong").textContent = text;
  part("wrong").hidden = !text;
  if (text) part("value").focus();
}

function skip() {
  if (!ready()) return;
  send("/api/answer", { id: state.question.id, outcome: "skip", attempt: draw() }, SAID.skip);
}

function undo() {
  const settled = performance.now() - shownAt > settling;
  if (settled && game) return show(state, "Who won the first game?");
  if (!busy && settled && state && state.undo) send("/api/undo", { id: state.undo }, SAID.undo);
}

const KEYS = {
  ArrowLeft: () => answer("first"), 1: () => answer("first"),
  ArrowRight: () => answer("second"), 2: () => answer("second"),
  t: () => answer("tie"), s: skip, u: undo,
};

addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input")) return;
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});

for (const outcome of ["first", "second", "tie"]) {
  part(outcome).addEventListener("click", () => answer(outcome));
}
for (const outcome of ["first", "second"]) {
  part(`card-${outcome}`).addEventListener("click", (event) => {
    if (event.target.closest("a") || String(getSelection())) return;
    answer(outcome);
  });
}
part("single").addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
part("skip").addEventListener("click", skip);
part("undo").addEventListener("click", undo);
part("leave").addEventListener("click", () => {
  if (busy) return;
  clearTimeout(timer);
  rater = "";
  state = null;
  store(sessionStorage, "rater", "");
  enter("");
});
part("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  rater = part("name").value;
  part("enter").hidden = true;
  next();
});

// ---- what is shown ----

function show(reply, said) {
  const before = state && state.state === "question" ? state.question.id : "";
  state = reply;
  if (!token) {
    rater = reply.rater;
    store(sessionStorage, "rater", rater);
  }
  const asked = reply.state === "question";
  part("item").hidden = !asked || !reply.question.item;
  part("enter").hidden = true;
  part("duel").hidden = part("keys").hidden = !asked || !duel();
  part("single").hidden = !asked || duel();
  part("others").hidden = !asked && !reply.undo;
  part("skip").hidden = !asked;
  part("undo").disabled = !reply.undo;
  part("who").hidden = false;
  part("leave").hidden = Boolean(token);
  part("progress").textContent = `${reply.rater}: ${count(reply.answered)}`;
  part("title").textContent = document.title = reply.title;
  part("message").hidden = asked;
  if (asked) {
    if (reply.question.id !== before || said) question(reply.question);
    say(said);
  } else {
    part("about").hidden = true;
    part("message").textContent = reply.state === "finished"
      ? "That was all: there are enough answers. Thank you!"
      : "No question is open for you now: others are answering. The next one appears by itself.";
    if (said) say(said);
    timer = setTimeout(look, POLL[reply.state] * (0.8 + 0.4 * Math.random()));
  }
}

function question(asked, first = "") {
  game = first;
  part("duel").dataset.question = part("single").dataset.question = asked.id;
  part("about").textContent = asked.about ? `For: ${asked.about}` : "";
  if (games()) part("about").textContent = game ? "The second game of the pair" : "The first of two games";
  part("about").hidden = !part("about").textContent;
  const texts = games() ? ["First won", "Draw", "Second won"] : ["First is better", "Equal", "Second is better"];
  ["first", "tie", "second"].forEach((name, place) => { part(name).textContent = texts[place]; });
  if (asked.item) fill(part("thing-item"), asked.item, "item's");
  if (!duel()) {
    members(asked.things);
    shownAt = performance.now();
    return;
  }
  asked.things.forEach((thing, place) => {
    const name = place ? "second" : "first";
    part(`card-${name}`).classList.remove("chosen");
    fill(part(`thing-${name}`), thing, name);
  });
  if (document.activeElement === document.body || part("name") === document.activeElement) {
    part("title").focus({ preventScroll: true });
  }
  scrollTo(0, 0);
  shownAt = performance.now();
}

// One who is asked for a number types on, question after question.
function members(things) {
  part("members").replaceChildren(...things.map((thing) => {
    const member = document.createElement("li");
    const shown = document.createElement("div");
    fill(shown, thing, "member's");
    member.append(shown);
    return member;
  }));
  wrong("");
  part("value").value = "";
  scrollTo(0, 0);
  part("value").focus({ preventScroll: true });
}

function fill(place, thing, name) {
  place.className = "thing";
  if (thing.image) {
    const image = new Image();
    image.src = `/content/${thing.image}`;
    image.alt = thing.alt || `The ${name} image`;
    place.replaceChildren(image);
  } else if (thing.html !== undefined) {
    place.innerHTML = thing.html; // made by the server, which lets no HTML of authors through
  } else {
    place.classList.add(thing.text.length <= 60 ? "short" : "text");
    place.textContent = thing.text;
  }
}

const count = (number) => (number === 1 ? "1 answer" : `${number} answers`);

function say(text) {
  part("status").textContent = text;
}

function notice(text) {
  part("offline").textContent = text;
  part("offline").hidden = !text;
}

function stop(text) {
  part("duel").hidden = part("single").hidden = part("others").hidden = part("keys").hidden = true;
  part("item").hidden = true;
  part("message").textContent = text;
  part("message").hidden = false;
}

function enter(text) {
  stop(text);
  part("message").hidden = !text;
  part("who").hidden = true;
  part("about").hidden = true;
  part("enter").hidden = false;
  part("name").value = "";
  part("name").focus();
}

// ---- the beginning ----

function begin() {
  let pending = null;
  try { pending = JSON.parse(stored(sessionStorage, "pending")); } catch { /* none */ }
  if (pending && pending.rater === rater) send(pending.address, pending.body, pending.said);
  else if (token || rater) next();
  else enter("");
}

addEventListener("hashchange", () => location.reload());
begin();

// The organiser's page: asks how the session stands every few seconds, and for pictures when there
// were answers since, not more often than every ten seconds, and only while it is looked at.
"use strict";

const EVERY = 4000; // ms between looks
const PICTURES = 10000; // ms between pictures
const LONG = 60; // letters of a fact that takes a row of its own
const part = (id) => document.getElementById(id);
const token = decodeURIComponent(location.hash.slice(1));
const headers = token ? { Authorization: `Bearer ${token}` } : {};
const drawn = { graph: -1, evidence: -1 }; // the version of each picture
let drawnAt = -Infinity;
let seen = "";

async function get(address) {
  const signal = AbortSignal.timeout ? AbortSignal.timeout(60000) : undefined;
  const reply = await fetch(address, { headers, signal });
  if (reply.ok) return reply;
  let reason = `The server answered ${reply.status}.`;
  try { reason = (await reply.json()).error || reason; } catch { /* no reason given */ }
  const failure = new Error(reason);
  failure.status = reply.status;
  throw failure;
}

async function look() {
  if (!document.hidden) {
    try {
      const facts = await (await get("/api/overview")).json();
      notice("");
      show(facts);
      await pictures(facts);
    } catch (error) {
      if (error.status === 401) {
        notice(error.message);
        return;
      }
      notice(error.status ? error.message : "No connection to the session: it may have been stopped. Trying again …");
    }
  }
  setTimeout(look, EVERY);
}

function show(facts) {
  const text = JSON.stringify(facts);
  if (text === seen) return; // so that a selection, or a place in a table, stays
  seen = text;
  part("all").hidden = false;
  part("name").textContent = document.title = facts.name;
  part("state").textContent = state(facts);
  list(part("facts"), rows(facts));
  const several = duels(facts) ? ["first shown", "agreement"] : ["agreement"];
  part("raters").replaceChildren(table(
    ["rater", "answers", ...(duels(facts) ? ["ties"] : []), "skips", ...several],
    facts.raters.map((each) => [
      each.rater || "(no name)", each.answers, ...(duels(facts) ? [each.ties] : []), each.skips,
      ...(duels(facts) ? [share(each.first)] : []),
      each.compared ? `${share(each.agree)} of ${each.compared}` : "–",
    ]),
    "", 1,
  ));
  part("first-shown").hidden = !duels(facts);
  part("warnings").replaceChildren(...facts.warnings.map((each) => make("p", each)));
  part("proofs").hidden = !facts.parts.length;
  part("parts").replaceChildren(...facts.parts.map((each) => (
    typeof each === "string" ? make("p", each) : wide(table(each.columns, each.rows, each.title, 9))
  )));
  part("votes").hidden = !facts.parts.length;
  part("scores").hidden = facts.family !== "subsets";
}

// Whether raters are asked which of two is better, and not for numbers.
const duels = (facts) => ["dueling", "matchings"].includes(facts.family);

function state(facts) {
  if (facts.finished) {
    const assumed = facts.assumption ? `, if ${facts.assumption}` : "";
    const extent = facts.extent ? `: ${facts.extent}` : "";
    const condition = assumed || extent ? ` (proved${assumed}${extent})` : "";
    return `Finished: ${facts.answer}${facts.doubt ? ` (not proved: ${facts.doubt})` : condition}`;
  }
  const ahead = facts.ahead ? `Ahead: ${facts.ahead}.` : "Nobody is ahead yet.";
  const proved = facts.proved || facts.so_far;
  const assumed = facts.assumption ? `, if ${facts.assumption}` : "";
  return `${ahead} ${proved ? `Proved: ${proved}${assumed}.` : "No winner is proved yet."}`;
}

function rows(facts) {
  const number = (value) => value.toLocaleString("en");
  const found = [
    ["Learner", facts.learner],
    ["Answers", number(facts.answers)],
    ...(facts.left === null ? [] : [["Left of the budget", number(facts.left)]]),
    ...(duels(facts) ? [["Ties", number(facts.ties)]] : []),
    ["Second answers", number(facts.repeats)],
    ["Skipped", number(facts.skips)],
    ["Taken back", number(facts.withdrawn)],
    ...(facts.told < facts.answers ? [["Not counted", number(facts.answers - facts.told)]] : []),
    ...(facts.cells ? [["Cells of the test set", number(facts.cells)], ["Left out", number(facts.left_out)]] : []),
    ...(facts.position ? [["Position", facts.position]] : []),
    ["Confidence", facts.confidence],
  ];
  if (facts.priced) found.push(["Spent", number(facts.spent)]);
  if (!facts.finished) {
    found.push(["Open questions", `${number(facts.waiting)} (${number(facts.leased)} with raters)`]);
    if (facts.remaining) found.push(["Remaining", `about ${number(Math.round(facts.remaining))} duels to a proof, if it stays so`]);
    if (facts.priced && facts.cost) found.push(["They cost", number(facts.cost)]);
  }
  return found;
}

async function pictures(facts) {
  if (performance.now() - drawnAt < PICTURES) return;
  for (const name of ["graph", "evidence"]) {
    const there = facts.pictures.includes(name);
    if (!there) part(`${name}-part`).hidden = true;
    if (there && drawn[name] !== facts.version) {
      const image = part(name);
      const old = image.src;
      image.src = URL.createObjectURL(await (await get(`/api/${name}.svg`)).blob());
      await image.decode().catch(() => {}); // shown when there is something to see
      part(`${name}-part`).hidden = false;
      if (old) URL.revokeObjectURL(old);
      drawn[name] = facts.version;
      drawnAt = performance.now();
    }
  }
}

// ---- elements ----

function make(kind, text, name) {
  const element = document.createElement(kind);
  element.textContent = text;
  if (name) element.className = name;
  return element;
}

function list(place, pairs) {
  place.replaceChildren(...pairs.map(([name, value]) => {
    const pair = document.createElement("div");
    pair.append(make("dt", name), make("dd", value));
    if (String(value).length > LONG) pair.className = "long";
    return pair;
  }));
}

// A table whose columns from `numeric` on are numbers.
function table(columns, lines, title, numeric) {
  const element = document.createElement("table");
  if (title) element.append(make("caption", title));
  const kind = (place) => (place >= numeric ? "number" : "");
  const top = element.createTHead().insertRow();
  columns.forEach((name, place) => {
    const cell = make("th", name, kind(place));
    cell.scope = "col";
    top.append(cell);
  });
  const body = element.createTBody();
  for (const line of lines) {
    const row = body.insertRow();
    line.forEach((value, place) => {
      const cell = make(place ? "td" : "th", value, kind(place) || STATUS[value] || "");
      if (!place) cell.scope = "row";
      row.append(cell);
    });
  }
  return element;
}

const STATUS = { proved: "proved", possible: "possible", "ruled out": "ruled-out" };

function wide(inner) {
  const element = make("div", "", "wide");
  element.tabIndex = 0;
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", "Table");
  element.append(inner);
  return element;
}

const share = (value) => (value === null ? "–" : `${Math.round(100 * value)} %`);

function notice(text) {
  part("offline").textContent = text;
  part("offline").hidden = !text;
}

// ---- exports ----

for (const name of ["answers", "votes", "scores"]) {
  part(name).addEventListener("click", async () => {
    try {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await (await get(`/api/${name}.csv`)).blob());
      link.download = `${name}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    } catch (error) {
      notice(error.message);
    }
  });
}

addEventListener("hashchange", () => location.reload());
look();

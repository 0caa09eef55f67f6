// The organiser's page: asks for the report every few seconds, while somebody looks at it.
"use strict";

const EVERY = 4000; // ms between looks
const part = (id) => document.getElementById(id);
const token = decodeURIComponent(location.hash.slice(1));
const headers = token ? { Authorization: `Bearer ${token}` } : {};
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
      const reply = await get("/api/overview");
      show(await reply.text());
      notice("");
    } catch (error) {
      notice(error.status ? error.message : "No connection to the session: it may have been stopped. Trying again …");
      if (error.status === 401) return;
    }
  }
  setTimeout(look, EVERY);
}

function show(page) {
  if (page === seen) return; // so that a selection stays
  seen = page;
  const report = part("report");
  const place = report.contentWindow.scrollY;
  report.onload = () => {
    document.title = report.contentDocument.title;
    report.contentWindow.scrollTo(0, place);
  };
  report.srcdoc = page;
  report.hidden = false;
}

function notice(text) {
  part("offline").textContent = text;
  part("offline").hidden = !text;
}

part("answers").addEventListener("click", async () => {
  try {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await (await get("/api/answers.csv")).blob());
    link.download = "answers.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  } catch (error) {
    notice(error.message);
  }
});

addEventListener("hashchange", () => location.reload());
look();

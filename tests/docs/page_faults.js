// What is wrong with the page that a browser shows, as sentences. The width and the colours are those
// that the browser is told; `done` takes the list.
const [width, done] = arguments;

const faults = new Set();
const fault = (what, element) => faults.add(element ? `${what}: ${name(element)}` : what);

function name(element) {
  const words = (element.textContent || element.getAttribute("href") || "").trim();
  return `<${element.localName} class="${element.className}"> ${words.replace(/\s+/g, " ").slice(0, 60)}`;
}

const seen = (element) =>
  element.getClientRects().length > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

function settled() {
  // MathJax, if the page has formulas, and pictures that wait until they are scrolled to.
  const pictures = [...document.images].map((image) => {
    image.loading = "eager";
    return image.decode().catch(() => null);
  });
  const late = new Promise((_, reject) => setTimeout(reject, 30000, "formulas or pictures are late"));
  return Promise.race([late, Promise.all([...pictures, window.MathJax?.startup?.promise])]);
}

function pictures() {
  for (const image of document.images) {
    const words = image.getAttribute("alt") || "";
    if (!(image.complete && image.naturalWidth > 0)) fault(`a picture is not there: ${image.src}`);
    if (!words.trim() || /\.(png|svg|jpe?g|gif)$/.test(words)) fault(`a picture without words: ${image.src}`);
  }
}

function headings() {
  const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(seen);
  const first = levels.filter((each) => each.localName === "h1").length;
  if (first !== 1) fault(`${first} headings of level 1`);
  levels.reduce((before, each) => {
    const level = Number(each.localName[1]);
    if (level > before + 1) fault(`level ${level} after ${before}`, each);
    if (!each.textContent.trim()) fault("an empty heading", each);
    return level;
  }, 0);
}

function overflow() {
  if (document.documentElement.scrollWidth > width) fault(`${document.documentElement.scrollWidth} pixels wide`);
  const boxes = new Set(["auto", "scroll"]);
  const walk = (element) => {
    if (element.closest("mjx-assistive-mml") || !seen(element)) return;
    if (element.getBoundingClientRect().right > width + 1) return fault("runs over the right margin", element);
    if (!boxes.has(getComputedStyle(element).overflowX)) for (const child of element.children) walk(child);
  };
  for (const part of document.querySelectorAll("main, [role=main], footer, header")) walk(part);
}

function formulas() {
  for (const each of document.querySelectorAll("mjx-merror")) fault("a formula with an error", each.parentElement);
  for (const each of document.querySelectorAll(".math")) {
    if (!each.querySelector("mjx-container")) fault("a formula that is not set", each);
  }
  for (const each of document.querySelectorAll("mjx-container")) {
    const read = each.querySelector("mjx-assistive-mml math");
    if (!read && !each.getAttribute("aria-label")) fault("a formula that cannot be read aloud", each);
  }
  for (const [text, element] of texts("main, [role=main]")) {
    // A parameter may be "**solving"; what a search finds is an excerpt of the source.
    if (element.closest("pre, code, dt, mjx-container, #search-results")) continue;
    if (/\\[([]|\$[^$\s][^$]*\$|:\w+:`|\*\*\w|``|\]\(\w/.test(text)) fault(`raw markup "${text.trim().slice(0, 60)}"`, element);
  }
}

function* texts(selector) {
  for (const part of document.querySelectorAll(selector)) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent;
      if (text.trim()) yield [text, walker.currentNode.parentElement];
    }
  }
}

// Contrast, as WCAG 2 defines it.

function colour(text) {
  const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
  if (found) return found.slice(1, 4).map(Number).concat(found[4] === undefined ? 1 : Number(found[4]));
  const share = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)$/.exec(text);
  if (!share) throw new Error(`what colour is ${text}?`);
  return share.slice(1, 4).map((each) => 255 * each).concat(share[4] === undefined ? 1 : Number(share[4]));
}

const over = (top, below) => [0, 1, 2].map((k) => top[3] * top[k] + (1 - top[3]) * below[k]).concat(1);

function background(element) {
  // The colour behind it, or null before a picture.
  if (!element) return [255, 255, 255, 1];
  const style = getComputedStyle(element);
  if (style.backgroundImage !== "none") return null;
  const own = colour(style.backgroundColor);
  if (own[3] === 1) return own;
  const below = background(element.parentElement);
  return below && over(own, below);
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((each) => {
    const share = each / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast() {
  const checked = new Set();
  for (const [text, element] of texts("body")) {
    if (checked.has(element) || element.closest("mjx-assistive-mml, script, style, noscript") || !seen(element)) continue;
    checked.add(element);
    const below = background(element);
    if (!below) continue;
    const pair = [over(colour(getComputedStyle(element).color), below), below].map(luminance);
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    if (ratio < 4.5) fault(`contrast ${ratio.toFixed(1)} of "${text.trim().slice(0, 40)}"`, element);
  }
}

// Where the keyboard goes, it is seen; of elements alike in alike places, one is tried.

const path = (element) => (element ? `${path(element.parentElement)}>${element.localName}.${element.className}` : "");

function focus() {
  const kinds = new Set();
  const before = document.activeElement;
  for (const element of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]")) {
    const kind = path(element);
    if (kinds.has(kind)) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement !== element) continue;
    kinds.add(kind);
    // The theme's switches of its drawers are not to be seen; their labels are.
    const shown = element.matches(".sidebar-toggle") ? [...element.labels].filter(seen) : [element];
    const outlined = shown.map((each) => getComputedStyle(each)).filter((style) => style.outlineStyle !== "none");
    if (!outlined.some((style) => parseFloat(style.outlineWidth) > 0)) fault("focus is not seen on", element);
    const box = element.getBoundingClientRect();
    const inside = element.matches(".skip-to-content") || element.closest("pre, table, .math-wrapper");
    if (!inside && (box.right <= 0 || box.left >= width)) fault("the keyboard goes out of the page to", element);
  }
  before.focus({ preventScroll: true });
}

settled().then(() => {
  for (const check of [pictures, headings, overflow, formulas, contrast, focus]) check();
  done([...faults]);
}).catch((error) => done([`the check ended with ${error}`]));

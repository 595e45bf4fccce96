"use strict";

const byId = (id) => document.getElementById(id);

// morph changes an element into another, and leaves alone what is the same: focus,
// scroll positions, opened branches and shown passwords stay.
function morph(from, to) {
  if (from.isEqualNode(to) || from.dataset?.kept !== undefined) return;
  for (const { name, value } of [...to.attributes]) {
    if (name !== "open" && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  morphChildren(from, to);
}

function morphChildren(from, to) {
  const known = new Map([...from.children].filter((child) => child.id).map((child) => [child.id, child]));
  let place = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    let found = wanted.id ? known.get(wanted.id) : place;
    const fits = found && found.nodeName === wanted.nodeName && (wanted.id || "") === (found.id || "");
    if (!fits) {
      found = wanted.cloneNode(true);
      if (found.id) found.classList.add("new");
      from.insertBefore(found, place);
      continue;
    }
    if (found === place) place = place.nextSibling;
    else from.insertBefore(found, place);
    if (found.nodeType === Node.ELEMENT_NODE) morph(found, wanted);
    else if (found.nodeValue !== wanted.nodeValue) found.nodeValue = wanted.nodeValue;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function update(sections) {
  for (const [id, html] of Object.entries(sections)) {
    const element = byId(id);
    const wanted = element.cloneNode(false);
    wanted.innerHTML = html;
    morphChildren(element, wanted);
  }
  filter();
}

function filter() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [...byId("requests").rows];
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word)) || (byId("refused").checked && !row.classList.contains("bad"));
  }
  byId("no-match").hidden = rows.some((row) => !row.hidden);
}

// The stream is open while the page is looked at: a browser has few connections.
let stream;
function follow() {
  stream?.close();
  if (document.hidden) return;
  stream = new EventSource("/_emulator/page?find=" + encodeURIComponent(byId("find").value));
  stream.onmessage = (event) => {
    live(true);
    update(JSON.parse(event.data));
  };
  stream.onerror = () => live(false);
}

function live(yes) {
  byId("live").classList.toggle("on", yes);
  const text = yes ? "Live" : "The emulator doesn't answer; trying again";
  if (byId("live").textContent !== text) byId("live").textContent = text;
}

let silence;
function say(text) {
  byId("said").textContent = text;
  clearTimeout(silence);
  silence = setTimeout(() => byId("said").textContent = "", 4000);
}

async function ask(method, path, body) {
  const response = await fetch(path, { method, body: body && JSON.stringify(body) });
  const answer = response.status === 204 ? {} : await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

// toggle says what a press on a button does next.
function toggle(button, verb) {
  for (const text of [button.firstChild, button.getAttributeNode("aria-label")]) {
    text.nodeValue = text.nodeValue.replace(/^\w+/, verb);
  }
}

const actions = {
  async text(button) {
    await navigator.clipboard.writeText(button.dataset.text);
    say("Copied.");
  },
  async connection(button) {
    const shown = button.parentElement.querySelector("code");
    if (button.dataset.hidden !== undefined) {
      shown.textContent = button.dataset.hidden;
      toggle(button, "Show");
      delete button.dataset.hidden, delete button.dataset.kept, delete shown.dataset.kept;
      return;
    }
    const connection = await ask("GET", button.dataset.connection);
    const command = connection[button.dataset.copies ?? "command"];
    if (button.dataset.show === undefined) {
      await navigator.clipboard.writeText(command);
      say("Copied, with the password.");
      return;
    }
    button.dataset.hidden = shown.textContent;
    button.dataset.kept = shown.dataset.kept = "";
    shown.textContent = command;
    toggle(button, "Hide");
  },
  async remove(button) {
    await ask("DELETE", button.dataset.remove);
  },
  async advance(button) {
    await ask("POST", "/_emulator/clock", { advance: button.dataset.advance });
  },
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const name = Object.keys(actions).find((name) => button?.dataset[name] !== undefined);
  if (name) actions[name](button).catch((error) => say(error.message));
});

function onSubmit(id, path, body) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    ask("POST", path, body(new FormData(event.target))).catch((error) => say(error.message));
  });
}

onSubmit("move-clock", "/_emulator/clock", (form) => ({ advance: form.get("advance") }));
onSubmit("add-fault", "/_emulator/faults", (form) => {
  const kind = form.get("kind");
  const fault = { route: form.get("route"), kind, count: Number(form.get("count")) };
  if (/^status|late/.test(kind)) fault.status = Number(form.get("status"));
  if (form.get("delay")) fault.delay = form.get("delay");
  return fault;
});

let typing;
byId("find").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(follow, 200);
});
byId("filter").addEventListener("input", filter);
byId("refused").addEventListener("change", filter);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.closest("input, select")) {
    event.preventDefault();
    byId("filter").focus();
  }
});
document.addEventListener("visibilitychange", follow);
follow();

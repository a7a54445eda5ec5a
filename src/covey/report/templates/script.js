"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (tag, text = "") => Object.assign(document.createElement(tag), { textContent: text });
  root.classList.add("js");

  /* Chapters: one at a time, by what follows the # in the address. */
  function chapters() {
    const articles = all("article.chapter");
    const links = all("#contents a");
    const title = document.title;
    const places = new Map();
    let current = null, address = location.hash, clicked = false, left = 0;

    const target = () => {
      let id = location.hash.slice(1);
      try { id = decodeURIComponent(id); } catch { /* as it is */ }
      return (id && document.getElementById(id)) || articles[0];
    };
    const show = (chapter) => {
      current = chapter;
      for (const article of articles) {
        if (article === chapter) article.removeAttribute("hidden");
        else article.setAttribute("hidden", "until-found");
      }
      for (const link of links) {
        if (link.hash === "#" + chapter.id) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
      document.title = chapter === articles[0] ? title : chapter.dataset.title + " · " + title;
      const link = links.find((one) => one.hasAttribute("aria-current"));
      const list = document.getElementById("contents");
      if (link && list && list.scrollHeight > list.clientHeight) {
        const from = link.getBoundingClientRect().top - list.getBoundingClientRect().top;
        if (from < 0 || from > list.clientHeight - 60) list.scrollTop += from - list.clientHeight / 3;
      }
    };
    const go = () => {
      const found = target();
      const chapter = found.closest("article.chapter");
      places.set(address, left);
      address = location.hash;
      if (chapter && chapter !== current) show(chapter);
      const again = !clicked && places.has(address);
      if (again) scrollTo(0, places.get(address));
      else if (found === chapter) scrollTo(0, 0);
      else found.scrollIntoView();
      if (clicked) { found.tabIndex = -1; found.focus({ preventScroll: true }); }
      clicked = false;
      left = scrollY;
    };
    if ("scrollRestoration" in history) history.scrollRestoration = "manual";
    addEventListener("hashchange", go);
    addEventListener("scroll", () => { if (location.hash === address) left = scrollY; }, { passive: true });
    document.addEventListener("click", (event) => {
      const link = event.target.closest && event.target.closest('a[href^="#"]');
      if (!link) return;
      if (link.classList.contains("skip")) { event.preventDefault(); document.getElementById("main").focus(); return; }
      closeMenu();
      clicked = true;
      left = scrollY;
      if (link.hash === location.hash) { event.preventDefault(); go(); }
    });
    for (const article of articles) {
      article.addEventListener("beforematch", () => { /* found by the browser's own search */
        if (target().closest("article.chapter") === article) return;
        history.pushState(null, "", "#" + article.id);
        places.set(address, left);
        address = location.hash;
        show(article);
      });
    }
    const found = target();
    show(found.closest("article.chapter") || articles[0]);
    requestAnimationFrame(() => (found === current ? scrollTo(0, 0) : found.scrollIntoView()));
  }

  /* The list of chapters: folded on small screens, searched where it is long. */
  const button = () => document.querySelector("button.menu");
  function openMenu(open) {
    const list = document.getElementById("contents");
    if (!list || !button()) return;
    list.classList.toggle("open", open);
    button().setAttribute("aria-expanded", String(open));
  }
  const closeMenu = () => openMenu(false);
  function contents() {
    if (!button()) return;
    button().addEventListener("click", () => openMenu(button().getAttribute("aria-expanded") !== "true"));
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && button().getAttribute("aria-expanded") === "true") { closeMenu(); button().focus(); }
    });
    for (const field of all("#contents .find")) {
      const group = field.closest(".group");
      const items = all("ul:not(.inner) > li", group);
      const shown = () => items.filter((item) => !item.hidden);
      field.addEventListener("input", () => {
        const words = plain(field.value);
        for (const item of items) item.hidden = !has(plain(item.firstElementChild.textContent), words);
        group.querySelector(".none").hidden = shown().length > 0;
      });
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && shown().length) shown()[0].querySelector("a").click();
      });
    }
  }

  /* Text without case and accents; a text has a search if it has all its words. */
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const has = (text, words) => words.split(/\s+/).every((word) => text.includes(word));

  /* Tables: sorted by a click on a heading, in the order given after the third. */
  const MISSING = /^(|[-–—]|nan|n\/a|none)$/i;
  const NUMBER = /^([<>≤≥≈~]?)\s*([-+−]?(?:\d[\d,]*\.?\d*|\.\d+|∞)(?:e[-+−]?\d+)?)\s*(%|s|±.*|\(.*\)|\[.*\])?$/i;
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function numberIn(cell, text) {
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const found = NUMBER.exec(text);
    if (!found) return NaN;
    const digits = found[2].replace(/−/g, "-").replace(/,/g, "").replace("∞", "Infinity");
    const edge = "<≤".includes(found[1]) ? -1 : found[1] === ">" || found[1] === "≥" ? 1 : 0;
    const value = Number(digits);
    return found[1] && edge ? value + edge * Math.abs(value) * 1e-9 : value;
  }
  function keysOf(rows, column) {
    const cells = rows.map((row) => row.cells[column]);
    const texts = cells.map((cell) => cell.textContent.trim());
    const numbers = cells.map((cell, place) => numberIn(cell, texts[place]));
    const missing = texts.map((text, place) => Number.isNaN(numbers[place]) && MISSING.test(text));
    const numeric = numbers.every((number, place) => missing[place] || !Number.isNaN(number));
    return { missing, keys: numeric ? numbers : texts, compare: numeric ? (a, b) => (a < b ? -1 : a > b ? 1 : 0) : collator.compare };
  }
  function sort(table, given, column, direction) {
    const order = given.map((_, place) => place);
    if (direction) {
      const { missing, keys, compare } = keysOf(given, column);
      order.sort((a, b) => missing[a] - missing[b] || (missing[a] ? 0 : direction * compare(keys[a], keys[b])) || a - b);
    }
    table.tBodies[0].append(...order.map((place) => given[place]));
  }
  function tables() {
    for (const table of all("figure.table table")) {
      const given = [...table.tBodies[0].rows];
      const heads = [...table.tHead.rows[0].cells];
      if (given.length > 1) {
        heads.forEach((head, column) => {
          const push = make("button");
          push.type = "button";
          push.append(...head.childNodes);
          if (!push.textContent.trim()) push.setAttribute("aria-label", "Column " + (column + 1));
          head.append(push);
          head.setAttribute("aria-sort", "none");
          push.addEventListener("click", () => {
            const next = { none: "ascending", ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")];
            for (const other of heads) other.setAttribute("aria-sort", other === head ? next : "none");
            sort(table, given, column, { none: 0, ascending: 1, descending: -1 }[next]);
          });
        });
      }
      const box = table.closest(".scroll");
      const hint = table.closest("figure").querySelector(".hint");
      const look = () => {
        box.classList.toggle("scrolled", box.scrollLeft > 2);
        hint.hidden = box.scrollWidth - box.clientWidth - box.scrollLeft < 8;
      };
      box.addEventListener("scroll", look, { passive: true });
      if (window.ResizeObserver) new ResizeObserver(look).observe(box);
      const field = table.closest("figure").querySelector(".filter input");
      if (!field) continue;
      const found = table.closest("figure").querySelector(".found");
      field.addEventListener("input", () => {
        const words = plain(field.value);
        let count = 0;
        for (const row of given) {
          row.hidden = !has(plain([...row.cells].map((cell) => cell.textContent).join(" ")), words);
          count += row.hidden ? 0 : 1;
        }
        found.textContent = words.trim() ? count + " of " + given.length + " rows" : "";
      });
    }
  }

  /* Downloads: the text is in the page already. */
  function save(file, text, type) {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([text], { type: type + ";charset=utf-8" }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
  function downloads() {
    document.addEventListener("click", (event) => {
      const push = event.target.closest && event.target.closest("button[data-file]");
      if (!push) return;
      if (push.classList.contains("save")) {
        const text = push.nextElementSibling.content.textContent;
        save(push.dataset.file, text, push.dataset.file.endsWith(".csv") ? "text/csv" : "application/x-tex");
      } else {
        const drawing = push.closest("figure").querySelector("svg");
        save(push.dataset.file, new XMLSerializer().serializeToString(drawing), "image/svg+xml");
      }
    });
  }

  function theme() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    document.querySelector("button.theme").addEventListener("click", () => {
      const now = root.dataset.theme || (dark.matches ? "dark" : "light");
      root.dataset.theme = now === "dark" ? "light" : "dark";
    });
  }

  /* On paper nothing is folded. */
  function printing() {
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = all("details:not([open])");
      for (const one of opened) one.open = true;
    });
    addEventListener("afterprint", () => { for (const one of opened) one.open = false; });
  }

  addEventListener("DOMContentLoaded", () => {
    try {
      chapters(); contents(); tables(); downloads(); theme(); printing();
      root.classList.add("ready");
    } catch (error) {
      root.classList.remove("js");
      for (const chapter of all("article.chapter")) chapter.removeAttribute("hidden");
      throw error;
    }
  });
})();

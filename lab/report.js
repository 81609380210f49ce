// Search, theme, and figures that can be zoomed and read. Without it the page shows the same figures, still.
(() => {
  'use strict';
  const root = document.documentElement;
  const all = (selector, where = document) => [...where.querySelectorAll(selector)];
  const svgElement = (name, attributes = {}) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  // Theme: what the reader chose, else what the system has.
  const remembered = (key, value) => {
    try {
      return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value);
    } catch {
      return null;
    }
  };
  const setTheme = (theme) => { if (theme) root.dataset.theme = theme; };
  setTheme(remembered('stiction-theme'));
  document.getElementById('theme').addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    setTheme(dark ? 'light' : 'dark');
    remembered('stiction-theme', root.dataset.theme);
  });

  // Search over titles, notes and claims: every word must occur.
  const chapters = document.querySelector('.chapters');
  document.getElementById('menu').addEventListener('click', () => chapters.classList.toggle('open'));
  chapters.addEventListener('click', (event) => { if (event.target.closest('a')) chapters.classList.remove('open'); });
  const links = new Map(all('a', chapters).map((a) => [a.getAttribute('href'), a]));
  const articles = all('article').map((article) => ({
    article,
    link: links.get('#' + article.id),
    text: null,
  }));
  const input = document.getElementById('search');
  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const one of articles) {
      if (words.length && one.text === null) {
        one.text = (one.article.id + ' ' + all('h2, p, figcaption, .claims, .legend', one.article)
          .map((e) => e.textContent).join(' ')).toLowerCase();
      }
      const hit = words.every((word) => one.text.includes(word));
      one.article.hidden = !hit;
      if (one.link) one.link.parentElement.hidden = !hit;
      found += hit ? 1 : 0;
    }
    for (const section of all('section.chapter')) section.hidden = !section.querySelector('article:not([hidden])');
    for (const part of all('details', chapters)) part.hidden = !part.querySelector('li:not([hidden])');
    document.getElementById('summary').hidden = words.length > 0;
    document.querySelector('.found').textContent = words.length ? `${found} of ${articles.length} experiments` : '';
    chapters.classList.toggle('open', words.length > 0);
  };
  input.addEventListener('input', search);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input) { event.preventDefault(); input.focus(); }
    if (event.key === 'Escape') {
      for (const figure of all('figure.big')) enlarge(figure);
      if (document.activeElement === input) { input.value = ''; search(); }
    }
  });
  // A link into what a search has hidden, or into what is folded, shows it.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest('[hidden]')) { input.value = ''; search(); target.scrollIntoView(); }
  };
  addEventListener('hashchange', reveal);
  addEventListener('beforeprint', () => { for (const details of all('main details')) details.open = true; });

  // Axes, as lab/plot.cpp draws them.
  const raised = (n) => [...String(n)].map((c) => c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[c]).join('');
  const ticksOf = (axis, wanted) => {
    const ticks = [];
    if (axis.log) {
      const decades = Math.log10(axis.high / axis.low);
      if (decades >= 1.5) {
        const stride = Math.max(1, Math.ceil(decades / Math.min(7, wanted)));
        for (let k = Math.ceil(Math.log10(axis.low)); 10 ** k <= axis.high; ++k) {
          if (k % stride === 0) ticks.push([10 ** k, '10' + raised(k)]);
        }
        return ticks;
      }
      if (decades > 0.5) {
        for (let k = Math.floor(Math.log10(axis.low)); 10 ** k <= axis.high; ++k) {
          for (const factor of [1, 2, 5]) {
            const value = factor * 10 ** k;
            if (value >= axis.low && value <= axis.high) ticks.push([value, String(+value.toPrecision(6))]);
          }
        }
        return ticks;
      }
    }
    const range = axis.high - axis.low;
    const power = 10 ** Math.floor(Math.log10(range / wanted));
    const rough = range / wanted / power;
    const step = power * (rough > 5 ? 10 : rough > 2 ? 5 : rough > 1 ? 2 : 1);
    for (let i = Math.ceil(axis.low / step - 1e-9); i * step <= axis.high + 1e-9 * step && ticks.length < 100; ++i) {
      const digits = Math.min(12, Math.max(1, Math.ceil(Math.log10((Math.abs(i * step) + step) / step)) + 1));
      ticks.push([i * step, shown(i * step, digits)]);
    }
    return ticks;
  };
  const shown = (value, digits) => {
    if (value === 0) return '0';
    const size = Math.abs(value);
    return size < 1e-4 || size >= 1e6 ? String(+value.toPrecision(digits)).includes('e') ? String(+value.toPrecision(digits))
      : (+value.toPrecision(digits)).toExponential().replace('e+', 'e') : String(+value.toPrecision(digits));
  };

  const axisOf = (text) => {
    const [low, high, log] = text.split(' ');
    return {low: +low, high: +high, log: log === 'log'};
  };
  const valueAt = (axis, share) => axis.log ? axis.low * (axis.high / axis.low) ** share
    : axis.low + share * (axis.high - axis.low);
  const shareOf = (axis, value) => axis.log ? Math.log(value / axis.low) / Math.log(axis.high / axis.low)
    : (value - axis.low) / (axis.high - axis.low);

  // The corners of a path: [x, y, whether a piece starts here] in the units of the area.
  const cornersOf = (path) => {
    const corners = [];
    let command = 'M', x = 0, y = 0, numbers = [];
    for (const [token] of path.getAttribute('d').matchAll(/[Mmlh]|-?\d+/g)) {
      if (/[Mmlh]/.test(token)) { command = token; numbers = []; continue; }
      if (command === 'h') continue;
      numbers.push(+token);
      if (numbers.length === 2) {
        if (command === 'M') [x, y] = numbers; else { x += numbers[0]; y += numbers[1]; }
        corners.push([x, y, command !== 'l']);
        numbers = [];
      }
    }
    if (path.classList.contains('bar')) {
      const tops = [];
      for (let i = 0; i + 2 < corners.length; i += 4) tops.push([(corners[i][0] + corners[i + 2][0]) / 2, corners[i + 2][1], true]);
      return tops;
    }
    return corners;
  };

  const plots = new Map();
  class Plot {
    constructor(box) {
      this.box = box;
      this.svg = box.firstElementChild;
      this.area = box.querySelector('.area');
      this.axes = box.querySelector('.axes');
      this.x = axisOf(box.dataset.x);
      this.y = axisOf(box.dataset.y);
      const [, , width, height] = this.area.getAttribute('viewBox').split(' ').map(Number);
      this.whole = {x: 0, y: 0, width, height};
      this.view = {...this.whole};
      this.xl = this.axes.querySelector('.xl').textContent;
      this.yl = this.axes.querySelector('.yl').textContent;
      this.labels = {};
      for (const button of all('.legend button', box.parentElement)) this.labels[button.dataset.s] = button.textContent;
      this.small = !!box.closest('.panels');
      this.read = document.createElement('output');
      this.read.className = 'read';
      this.read.hidden = true;
      box.append(this.read);
      this.mark = svgElement('circle', {r: 4, class: 'mark', visibility: 'hidden'});
      this.band = svgElement('rect', {class: 'band', visibility: 'hidden'});
      this.svg.append(this.band, this.mark);
      // Transparent, so that the whole area feels the pointer and not its curves alone
      this.pad = svgElement('rect', {fill: 'transparent', class: 'pad'});
      this.svg.append(this.pad);
      this.pad.addEventListener('pointermove', (event) => this.move(event));
      this.pad.addEventListener('pointerleave', () => { if (!this.start) this.quiet(); });
      this.pad.addEventListener('pointerdown', (event) => this.down(event));
      this.pad.addEventListener('pointerup', (event) => this.up(event));
      this.pad.addEventListener('dblclick', () => this.show({...this.whole}));
      this.pad.addEventListener('wheel', (event) => {
        if (!event.ctrlKey && !event.metaKey && !box.closest('.big')) return;
        event.preventDefault();
        this.zoom(event.deltaY < 0 ? 0.8 : 1.25, this.at(event));
      }, {passive: false});
      this.layout();
    }

    axis(which) {
      const [axis, start, size, whole] = which === 'x' ? [this.x, this.view.x, this.view.width, this.whole.width]
        : [this.y, this.whole.height - this.view.y - this.view.height, this.view.height, this.whole.height];
      return {low: valueAt(axis, start / whole), high: valueAt(axis, (start + size) / whole), log: axis.log};
    }

    layout() {
      const width = Math.max(160, this.box.clientWidth), font = 13;
      if (!this.box.clientWidth) return;
      const big = this.box.closest('.big');
      const height = big ? Math.max(200, innerHeight - 190) : this.small ? 170 : Math.max(210, Math.min(330, 0.5 * width));
      const [x, y] = [this.axis('x'), this.axis('y')];
      const ys = ticksOf(y, Math.max(2, Math.floor(height / 46)));
      const xs = ticksOf(x, Math.max(2, Math.floor(width / 85)));
      const left = Math.max(...ys.map((tick) => tick[1].length), 1) * 7.6 + 34;
      // The last number may stand out by its half.
      const right = Math.max(12, ...xs.map((tick) => tick[1].length * 3.9 - (width - left) * (1 - shareOf(x, tick[0])) + 2));
      const frame = this.frame = {left, top: 8, width: width - left - right, height};
      this.svg.setAttribute('viewBox', `0 0 ${width} ${height + 54}`);
      for (const element of [this.area, this.pad]) {
        for (const [key, value] of [['x', left], ['y', 8], ['width', frame.width], ['height', height]]) element.setAttribute(key, value);
      }
      this.area.setAttribute('viewBox', `${this.view.x} ${this.view.y} ${this.view.width} ${this.view.height}`);
      let grid = '';
      this.axes.textContent = '';
      const text = (px, py, anchor, content, more = {}) => {
        const element = svgElement('text', {x: px, y: py, 'text-anchor': anchor, ...more});
        element.textContent = content;
        this.axes.append(element);
      };
      for (const [value, label] of xs) {
        const px = left + frame.width * shareOf(x, value);
        grid += `M${px} 8v${height}`;
        text(px, 8 + height + 17, 'middle', label);
      }
      for (const [value, label] of ys) {
        const py = 8 + height * (1 - shareOf(y, value));
        grid += `M${left} ${py}h${frame.width}`;
        text(left - 6, py + 4.5, 'end', label);
      }
      this.axes.prepend(svgElement('path', {d: grid, fill: 'none'}));
      this.axes.append(svgElement('rect', {x: left, y: 8, width: frame.width, height, fill: 'none'}));
      text(left + frame.width / 2, height + 44, 'middle', this.xl, {class: 'xl'});
      text(0, 0, 'middle', this.yl, {class: 'yl', transform: `translate(${font + 2} ${8 + height / 2}) rotate(-90)`});
      this.fit();
    }

    // Long labels of axes get smaller instead of leaving the figure.
    fit() {
      for (const [name, room] of [['.xl', this.frame.width + this.frame.left], ['.yl', this.frame.height + 50]]) {
        const label = this.axes.querySelector(name);
        const length = label.getComputedTextLength();
        if (length > room) label.style.fontSize = `${Math.max(8, 13 * room / length)}px`;
      }
    }

    at(event) {
      const box = this.svg.getBoundingClientRect();
      const scale = this.svg.viewBox.baseVal.width / box.width;
      return {px: (event.clientX - box.left) * scale - this.frame.left, py: (event.clientY - box.top) * scale - this.frame.top};
    }

    show(view) {
      this.view = view;
      this.quiet();
      this.layout();
    }

    zoom(factor, at = {px: this.frame.width / 2, py: this.frame.height / 2}) {
      const {view, whole} = this;
      const width = Math.min(whole.width, Math.max(20, view.width * factor));
      const height = Math.min(whole.height, Math.max(20, view.height * factor));
      const x = view.x + (view.width - width) * at.px / this.frame.width;
      const y = view.y + (view.height - height) * at.py / this.frame.height;
      this.show({x: Math.min(Math.max(0, x), whole.width - width), y: Math.min(Math.max(0, y), whole.height - height), width, height});
    }

    down(event) {
      if (event.pointerType === 'touch' || event.button !== 0) return;
      this.start = this.at(event);
      this.pad.setPointerCapture(event.pointerId);
      event.preventDefault();
    }

    move(event) {
      const at = this.at(event);
      if (this.start) {
        const {px, py} = this.start;
        const flat = Math.abs(at.py - py) < 12;
        const clamp = (value, most) => Math.min(Math.max(value, 0), most);
        const [x0, x1] = [clamp(Math.min(px, at.px), this.frame.width), clamp(Math.max(px, at.px), this.frame.width)];
        const [y0, y1] = flat ? [0, this.frame.height]
          : [clamp(Math.min(py, at.py), this.frame.height), clamp(Math.max(py, at.py), this.frame.height)];
        this.chosen = {x0, x1, y0, y1};
        for (const [key, value] of [['x', this.frame.left + x0], ['y', this.frame.top + y0], ['width', x1 - x0],
          ['height', y1 - y0], ['visibility', 'visible']]) this.band.setAttribute(key, value);
        return;
      }
      this.nearest(at);
    }

    up() {
      const chosen = this.start && this.chosen;
      this.start = this.chosen = null;
      this.band.setAttribute('visibility', 'hidden');
      if (!chosen || chosen.x1 - chosen.x0 < 8 || chosen.y1 - chosen.y0 < 8) return;
      const {view, frame} = this;
      this.show({x: view.x + view.width * chosen.x0 / frame.width, y: view.y + view.height * chosen.y0 / frame.height,
        width: view.width * (chosen.x1 - chosen.x0) / frame.width, height: view.height * (chosen.y1 - chosen.y0) / frame.height});
    }

    quiet() {
      this.read.hidden = true;
      this.mark.setAttribute('visibility', 'hidden');
    }

    // The nearest point of a curve, on the line between its corners.
    nearest({px, py}) {
      this.curves ||= all('path', this.area).map((path) => ({path, line: path.classList.contains('line'), corners: cornersOf(path)}));
      const {view, frame} = this;
      const [sx, sy] = [frame.width / view.width, frame.height / view.height];
      let best = null, least = 40 * 40;
      for (const {path, line, corners} of this.curves) {
        if (path.classList.contains('off')) continue;
        let ax = 0, ay = 0;
        for (const [cx, cy, first] of corners) {
          const bx = (cx - view.x) * sx, by = (cy - view.y) * sy;
          let nx = bx, ny = by;
          if (line && !first) {
            const dx = bx - ax, dy = by - ay, size = dx * dx + dy * dy;
            const t = size > 0 ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / size)) : 1;
            nx = ax + t * dx;
            ny = ay + t * dy;
          }
          const d = (nx - px) ** 2 + (ny - py) ** 2;
          if (d < least) { least = d; best = {nx, ny, s: path.dataset.s}; }
          ax = bx;
          ay = by;
        }
      }
      if (!best) return this.quiet();
      const x = valueAt(this.axis('x'), best.nx / frame.width);
      const y = valueAt(this.axis('y'), 1 - best.ny / frame.height);
      const label = this.labels[best.s];
      this.read.textContent = `${label ? label + ': ' : ''}${shown(x, 4)}; ${shown(y, 4)}`;
      this.read.hidden = false;
      this.mark.setAttribute('cx', frame.left + best.nx);
      this.mark.setAttribute('cy', frame.top + best.ny);
      this.mark.setAttribute('visibility', 'visible');
      const scale = this.svg.getBoundingClientRect().width / this.svg.viewBox.baseVal.width;
      const room = this.box.clientWidth - this.read.offsetWidth - 4;
      this.read.style.left = `${Math.max(0, Math.min(room, (frame.left + best.nx) * scale + 10))}px`;
      this.read.style.top = `${Math.max(0, (frame.top + best.ny) * scale - this.read.offsetHeight - 8)}px`;
    }
  }

  const enlarge = (figure) => {
    figure.classList.toggle('big');
    figure.closest('article').classList.toggle('open', figure.classList.contains('big'));
    document.body.style.overflow = figure.classList.contains('big') ? 'hidden' : '';
    for (const box of all('.plot', figure)) plots.get(box)?.layout();
  };
  const prepare = (figure) => {
    if (figure.dataset.ready) return;
    figure.dataset.ready = 'yes';
    const boxes = all('.plot', figure);
    for (const box of boxes) plots.set(box, new Plot(box));
    const tools = document.createElement('div');
    tools.className = 'tools';
    const add = (text, title, action) => {
      const button = document.createElement('button');
      Object.assign(button, {type: 'button', textContent: text, title});
      button.setAttribute('aria-label', title);
      button.addEventListener('click', action);
      tools.append(button);
    };
    const each = (action) => () => { for (const box of boxes) action(plots.get(box)); };
    if (boxes.length) {
      add('+', 'Zoom in (or drag over a part of the figure)', each((plot) => plot.zoom(0.5)));
      add('−', 'Zoom out', each((plot) => plot.zoom(2)));
      add('↺', 'Show all (or double-click)', each((plot) => plot.show({...plot.whole})));
    }
    add('⤢', 'Enlarge or close', () => enlarge(figure));
    figure.append(tools);
    for (const button of all('.legend button', figure)) {
      button.title = 'Hide or show';
      button.addEventListener('click', () => {
        button.classList.toggle('off');
        for (const path of all(`.area path[data-s="${button.dataset.s}"]`, figure)) path.classList.toggle('off');
      });
    }
    new ResizeObserver(() => { for (const box of boxes) plots.get(box).layout(); }).observe(figure);
  };
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { prepare(entry.target); seen.unobserve(entry.target); }
  }, {rootMargin: '300px'});
  for (const figure of all('main figure')) seen.observe(figure);
})();

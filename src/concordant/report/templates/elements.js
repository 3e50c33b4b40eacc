// Elements made from names, attributes and texts; texts never become markup.
const SVG = document.querySelector("svg").namespaceURI;
const MARKERS = [
  {tag: "circle", attributes: {r: 4.8}},
  {tag: "polygon", attributes: {points: "-4.2,-4.2 4.2,-4.2 4.2,4.2 -4.2,4.2"}},
  {tag: "polygon", attributes: {points: "0,-5.6 5.6,0 0,5.6 -5.6,0"}},
  {tag: "polygon", attributes: {points: "0,-5.4 5.4,4.4 -5.4,4.4"}},
];
const COLOURS = 8;

function byId(id) {
  return document.getElementById(id);
}

function make(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

function element(tag, attributes = {}, ...children) {
  return make(document.createElement(tag), attributes, children);
}

function drawing(tag, attributes = {}, ...children) {
  return make(document.createElementNS(SVG, tag), attributes, children);
}

function colour(system) {
  return `s${system % COLOURS}`;
}

function marker(system) {
  const shape = MARKERS[(system + Math.floor(system / COLOURS)) % MARKERS.length];
  return drawing(shape.tag, shape.attributes);
}

function key(system) {
  const box = {class: `key ${colour(system)}`, viewBox: "-7 -7 14 14", width: 14, height: 14};
  return drawing("svg", {...box, "aria-hidden": "true"}, marker(system));
}

function option(value, words) {
  return element("option", {value: String(value)}, words);
}

function whole(number) {
  return number.toLocaleString("en");
}

function signed(number, digits) {
  const text = Math.abs(number).toFixed(digits);
  return Number(text) === 0 ? text : `${number < 0 ? "−" : "+"}${text}`;
}

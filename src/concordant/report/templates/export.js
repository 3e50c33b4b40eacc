// The listed segments as a csv file.
function field(text) {
  // A spreadsheet would run what begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replace(/"/g, '""')}"`;
}

function csvText() {
  const most = Math.max(0, ...data.references.map((given) => (given || []).length));
  const numbers = Array.from({length: most}, (_, i) => i);
  const header = ["segment", ...(data.documents ? ["document"] : []), ...(data.sources ? ["source"] : []),
    ...numbers.map((i) => `reference ${i + 1}`),
    ...data.order.flatMap((i) => [data.systems[i], `${metric().name} of ${data.systems[i]}`, `flags of ${data.systems[i]}`])];
  const rows = order.map((segment) => [
    String(segment + 1),
    ...(data.documents ? [field(data.documents.names[data.documents.of[segment]])] : []),
    ...(data.sources ? [field(data.sources[segment] || "")] : []),
    ...numbers.map((i) => field((data.references[segment] || [])[i] || "")),
    ...data.order.flatMap((i) => [
      field(data.translations[i][segment] || ""), String(metric().sign * metric().scores[i][segment]),
      field(flagsOf(segment, i).map((flag) => data.flagNames[flag]).join(" ")),
    ]),
  ].join(","));
  return [header.map(field).join(","), ...rows, ""].join("\r\n");
}

function startExport() {
  byId("export").addEventListener("click", () => {
    const file = new Blob(["\ufeff", csvText()], {type: "text/csv"});
    const link = element("a", {href: URL.createObjectURL(file), download: "segments.csv"});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

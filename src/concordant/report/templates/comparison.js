// The start: what scripts draw takes the place of what the page has without them.
document.querySelectorAll(".scripted").forEach((each) => { each.hidden = false; });
document.querySelectorAll(".unscripted").forEach((each) => each.remove());
startFlags();
startTables();
startPair();
startScatter();
startGroups();
startPhrases();
startFilters();
startList();
startExport();
startKeys();
openLinked();

// Shows the parts of what is chosen; all are there without scripts.
const choice = document.getElementById("choice");
function showChosen() {
  const chosen = choice.querySelector(":checked").value;
  document.querySelectorAll(".by-choice").forEach((part) => {
    part.hidden = part.dataset.choice !== chosen;
  });
}
if (choice) {
  choice.hidden = false;
  choice.addEventListener("change", showChosen);
  showChosen();
}

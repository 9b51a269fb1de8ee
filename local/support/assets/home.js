// The copy buttons.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Press Ctrl-C";
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
}

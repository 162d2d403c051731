/// The only script of a page: it shows a field, and hides the steps that do not have what is typed there in their lines.
/// Where scripts are blocked there is no field, and nothing else is missing.
enum PageSearch {
  /// The page's policy allows the script with this digest and no other, whatever comes from a server.
  static let digest = "sha256-Wx5m5WS6V60nhApeUsE9gpkR7yXpA5pgI9B6Ywkl8es="

  static let field = """
    <p><input id="search" type="search" placeholder="Search steps and files" aria-label="Search steps and files" hidden></p>

    """

  /// With the line ends at both ends of it.
  static let script = """

    const field = document.getElementById("search");
    let wait = 0;
    function show() {
      const words = field.value.toLowerCase().split(" ").filter((word) => word);
      const fits = (element) => words.every((word) => element.firstElementChild.textContent.toLowerCase().includes(word));
      for (const file of document.querySelectorAll("details.file")) {
        const all = fits(file);
        let some = all;
        for (const step of file.querySelectorAll("details.step")) {
          step.hidden = !all && !fits(step);
          some = some || !step.hidden;
        }
        file.hidden = !some;
        if (words.length && some && !all) file.open = true;
      }
    }
    field.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(show, 150); });
    field.hidden = false;

    """
}

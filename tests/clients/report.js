// Opens a page of `tessera analyse --html` in a real browser, wide and narrow, light and dark, and
// clicks through it. Usage: node report.js PAGE CHROMIUM [FOLDER FOR PICTURES]; needs playwright-core.
"use strict";
const path = require("path");
const { chromium } = require("playwright-core");

const [page, executablePath, pictures] = process.argv.slice(2);
const SIZES = [[1280, 900], [820, 1100], [360, 740]];
const OPTIONS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

function check(isTrue, what) {
  if (!isTrue) throw new Error(what);
}

/** Leads through one game by all means that there are. */
async function visit(tab) {
  const plies = await tab.evaluate(() => game.moves.length);
  const ply = () => tab.evaluate(() => ply);
  if (plies === 0) return;
  await tab.keyboard.press("End");
  check(await ply() === plies, "End leads to the end");
  await tab.keyboard.press("ArrowLeft");
  check(await ply() === plies - 1, "an arrow leads back");
  const board = await tab.locator("#board").boundingBox();
  await tab.locator("#board").click({ position: { x: board.width - 9, y: 9 } });
  check(await ply() === plies, "the board leads on");
  await tab.locator("#graph").click({ position: { x: 6, y: 9 } });
  check(await ply() === 0, "the graph leads to the start");
  await tab.locator("#moves button").first().click();
  check(await ply() === 1, "a move leads to itself");
  const men = await tab.evaluate(() => [document.querySelectorAll("#board use").length, Object.keys(boards[1]).length]);
  check(men[0] === men[1], "all men are on the board");
}

(async () => {
  const browser = await chromium.launch({ executablePath, args: OPTIONS });
  for (const [width, height] of SIZES) {
    for (const colorScheme of ["light", "dark"]) {
      const tab = await (await browser.newContext({ viewport: { width, height }, colorScheme })).newPage();
      const faults = [];
      tab.on("pageerror", error => faults.push(error.message));
      tab.on("request", request => request.url().startsWith("file:") || faults.push(request.url()));
      await tab.goto("file://" + path.resolve(page));
      const count = await tab.evaluate(() => games.length);
      for (let number = 1; number <= count; number++) {
        await visit(tab);
        const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(overflow <= 0, `game ${number} is too wide for ${width} pixels`);
        if (number === 1 && pictures) {
          await tab.screenshot({ path: path.join(pictures, `${width}-${colorScheme}.png`), fullPage: true });
        }
        await tab.keyboard.press("n");
      }
      check(faults.length === 0, faults.join("\n"));
      await tab.close();
    }
  }
  await browser.close();
  console.log("the page works");
})().catch(error => { console.error(error.message); process.exit(1); });

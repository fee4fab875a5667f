import {launch, open} from './browser.mjs';
const browser = await launch();
const {page, close} = await open(browser, process.argv[3], {width: 390});
console.log(await page.evaluate(() => [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > 391 && !e.closest('.table,.scroll,nav')).slice(0, 12).map((e) => `${e.tagName} ${e.className?.baseVal ?? e.className} ${e.closest('figure')?.id} ${e.textContent.slice(0, 40)} ${e.getBoundingClientRect().right}`)));
await close(); await browser.close();

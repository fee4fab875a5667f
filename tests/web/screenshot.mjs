// screenshot.mjs PROGRAM PAGE ELEMENT FILE.png [WIDTH]: makes a picture of one element of a report; of body, its first 640 pixels.
import {launch, open} from './browser.mjs';

const [page, element, file, width = '1200'] = process.argv.slice(3);
const browser = await launch();
const {page: view} = await open(browser, page, {width: Number(width), height: element === 'body' ? 640 : 820});
await view.locator('.bar').evaluate((bar) => { bar.style.position = 'static'; });
await (element === 'body' ? view : view.locator(element)).screenshot({path: file});
await browser.close();

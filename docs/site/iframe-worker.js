// Search on pages that were opened from a disk. Browsers refuse a Worker whose script is a file, so a hidden frame takes
// its place there. Material's search looks for the name IFrameWorker and then loads its parts through this importScripts.
'use strict';

class IFrameWorker extends EventTarget {
  constructor(script) {
    super();
    this.frame = document.createElement('iframe');
    this.frame.hidden = true;
    this.frame.title = 'search';
    document.body.append(this.frame);
    const inner = this.frame.contentWindow;
    const page = inner.document;
    page.open();
    page.write('<!doctype html><title>search</title>');
    page.close();
    inner.postMessage = (data) => setTimeout(() => this.dispatchEvent(new MessageEvent('message', {data})));
    inner.importScripts = (...urls) => urls.reduce((before, url) => before.then(() => load(page, url)), Promise.resolve());
    this.inner = inner;
    this.ready = load(page, new URL(script, location.href).href);
  }

  postMessage(data) {
    this.ready.then(() => this.inner.dispatchEvent(new MessageEvent('message', {data})));
  }

  terminate() { this.frame.remove(); }
}

function load(page, url) {
  return new Promise((done, failed) => {
    const script = page.createElement('script');
    script.src = url;
    script.onload = done;
    script.onerror = () => failed(new Error(`cannot load ${url}`));
    page.head.append(script);
  });
}

if (location.protocol === 'file:') {
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
}

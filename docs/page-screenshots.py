"""Draws the README's pictures of the page: a real browser, the real service, the demo clip as the player.

page-screenshots.py FACEPLAY CLIP FOLDER
"""

import os
import signal
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait


def main():
    faceplay, clip, folder = sys.argv[1:]
    with tempfile.TemporaryDirectory() as data:
        service = subprocess.Popen(
            [faceplay, "play", clip, "--port", "0", "--no-open"],
            stdout=subprocess.PIPE, text=True, env=dict(os.environ, XDG_DATA_HOME=data))
        try:
            draw(service.stdout.readline().strip(), folder)
        finally:
            service.send_signal(signal.SIGINT)
            service.wait(20)


def draw(url, folder):
    options = Options()
    for argument in ["--headless=new", "--no-sandbox", "--window-size=1280,880", "--lang=en"]:
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        browser.get(url)
        wait = WebDriverWait(browser, 60)
        go(browser, wait, 2)
        # Until the plots are full: eight seconds of the clip.
        wait.until(lambda _: frames(browser) > 270)
        save(browser, folder, "page-settings")
        go(browser, wait, 3)
        find(wait, "main .by-face.main").click()
        find(wait, "main .panel .by-face.main").click()
        wait.until(lambda _: browser.execute_script("return document.querySelector('.hud .time').textContent") >= "6")
        save(browser, folder, "page-game")
    finally:
        browser.quit()


def go(browser, wait, index):
    wait.until(lambda _: len(browser.find_elements("css selector", "#menu button")) > index)
    browser.find_elements("css selector", "#menu button")[index].click()
    browser.execute_script("""
        window.frames_ = 0;
        const count = () => { window.frames_ += 1; requestAnimationFrame(count); };
        requestAnimationFrame(count);""")


def frames(browser):
    return browser.execute_script("return window.frames_")


def find(wait, selector):
    return wait.until(lambda browser: browser.find_element("css selector", selector))


def save(browser, folder, name):
    picture = f"{folder}/{name}.png"
    browser.save_screenshot(picture)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", picture, "-q:v", "3", f"{folder}/{name}.jpg"], check=True)
    os.remove(picture)


if __name__ == "__main__":
    main()

//! What is drawn lies in the picture, and texts do not touch: checked by geometry for plots of many kinds.

use super::*;

/// The rectangle of each text of a drawing, by the width of its characters.
fn texts(svg: &str) -> Vec<(String, [f64; 4])> {
    let mut found = vec![];
    for part in svg.split("<text ").skip(1) {
        let attribute = |name: &str| {
            let start = part.find(&format!(" {name}=\""))? + name.len() + 3;
            Some(&part[start..start + part[start..].find('"')?])
        };
        let [x, y]: [f64; 2] = ["x", "y"].map(|name| attribute(name).unwrap().parse().unwrap());
        let text = part[part.find('>').unwrap() + 1..part.find("</text>").unwrap()].to_owned();
        // Narrower than what is planned for, as real texts are.
        let width = 0.9 * figure::width_of(&text.replace("&lt;", "<"));
        let before = match attribute("text-anchor").unwrap() {
            "start" => 0.0,
            "middle" => width / 2.0,
            _ => width,
        };
        let rect = match attribute("transform") {
            Some(_) => [x - 9.0, y - width + before, x + 3.0, y + before],
            None => [x - before, y - 9.0, x - before + width, y + 3.0],
        };
        found.push((text, rect));
    }
    found
}

fn check(plot: &dyn Plot) {
    for width in [Width::Wide, Width::Narrow] {
        for has_title in [true, false] {
            let svg = plot.draw(width, has_title).unwrap();
            let viewed = &svg[svg.find("viewBox=\"0 0 ").unwrap() + 13..];
            let (w, h) = viewed[..viewed.find('"').unwrap()].split_once(' ').unwrap();
            let (w, h): (f64, f64) = (w.parse().unwrap(), h.parse().unwrap());
            let texts = texts(&svg);
            assert!(!texts.is_empty());
            for (i, (text, a)) in texts.iter().enumerate() {
                let is_inside = a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= w && a[3] <= h;
                assert!(is_inside, "{text:?} at {a:?} is outside of {w} × {h}: {}", plot.title());
                for (other, b) in &texts[i + 1..] {
                    let touch = a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
                    assert!(!touch, "{text:?} {a:?} and {other:?} {b:?} touch, {width:?}: {}", plot.title());
                }
            }
        }
    }
}

#[test]
fn texts_are_in_the_picture_and_do_not_touch() {
    let scales = [Axis::linear, Axis::binary, Axis::decimal];
    let numbers: [&[f64]; 6] = [
        &[1.0, 2.0, 3.0],
        &[0.0001, 0.2, 0.5],
        &[1.0, 1e3, 7e11],
        &[999_999.0, 1_000_001.0],
        &[5.0],
        &[-3.0, 4.0, 0.0],
    ];
    for (i, xs) in numbers.into_iter().enumerate() {
        for (j, ys) in numbers.into_iter().enumerate() {
            for (x, y) in scales.iter().flat_map(|x| scales.iter().map(move |y| (x, y))) {
                let title = format!("numbers {i} and {j} with a title that is longer than a phone is wide");
                let mut chart = Chart::new(title, x("what is on the horizontal axis <n>"), y("vertical"));
                for series in 0..i + j {
                    let points = xs.iter().zip(ys).map(|(x, y)| Point::new(*x, *y + series as f64));
                    chart = chart
                        .line(Series::new(format!("series {series} of a name that is rather long"), points));
                }
                check(&chart);
            }
        }
        for scale in scales {
            let mut bars =
                Bars::new(format!("bars {i}"), scale("seconds"), ["before it was changed", "after"]);
            for number in numbers[i] {
                let name = "a name of a group that is far too long to stand beside its bars";
                bars = bars.bar(name, [Some(*number), None]).bar("short", [None, Some(2.0 * number)]);
            }
            check(&bars);
        }
    }
    check(&Chart::new("nothing", Axis::decimal("x"), Axis::linear("y")));
    let mark = |sign| Some(Mark { sign, ..Mark::bad("survives") });
    let matrix = Matrix {
        title: "Which test kills which mutant".to_owned(),
        columns: (0..20).map(|i| format!("test number {i}")).collect(),
        rows: (0..9).map(|i| (format!("{i}: {}", "x < y became ".repeat(i)), vec![mark('?'); 20])).collect(),
    };
    check(&matrix);
}

#[test]
fn figures_have_two_drawings_and_a_table() {
    let chart = Chart::new("a \"b\"", Axis::linear("x"), Axis::linear("y"))
        .line(Series::new("s", [Point::new(1, 2), Point::new(2, 3)]));
    let figure = chart.to_figure();
    assert_eq!(figure.matches("<svg").count(), 2);
    assert_eq!(figure.matches("<table").count(), 1);
    assert!(figure.contains("aria-label=\"a &quot;b&quot;\""), "{figure}");
    // The policy of the page lets neither styles nor scripts of elements through.
    assert!(!figure.contains("style=") && !figure.contains("<script"), "{figure}");
    let table = Table::new("t", ["a"]).row(["1"]).to_figure();
    assert!(!table.contains("<svg") && !table.contains("<details"), "{table}");
}

"""
A design over spanning trees
============================

If only the sum over a tree can be measured, a G-optimal design says how often to measure which
spanning tree, so that the largest variance of the estimate of any tree is as small as possible. The
thicker an edge, the more often it is measured.
"""

import matplotlib.pyplot as plt
import networkx as nx

import cpe_opt as cpe

edges = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c"), ("d", "e"), ("c", "e")]
trees = cpe.SpanningTrees(edges)
design = cpe.g_design(trees)
share = design.weights @ design.vectors
print(
    f"{trees.count()} trees; worst variance {design.value:.4f}, no design below {design.bound:.4f}"
)

graph = nx.Graph(edges)
place = nx.circular_layout(graph)
figure, axes = plt.subplots(figsize=(5.5, 4.5), layout="constrained")
nx.draw_networkx_nodes(graph, place, ax=axes, node_color="#0072B2")
nx.draw_networkx_labels(graph, place, ax=axes, font_color="white")
nx.draw_networkx_edges(graph, place, edgelist=edges, width=8 * share, ax=axes)
named = {edge: f"{part:.2f}" for edge, part in zip(edges, share, strict=True)}
nx.draw_networkx_edge_labels(graph, place, named, ax=axes)
axes.set_title("share of the measured trees that contain the edge")
axes.axis("off")
